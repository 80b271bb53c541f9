import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test, vi } from 'vitest'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import type { RelatedThreats } from '#contract/bff/threat-list.ts'
import { aThreat, aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const { freshness } = aThreatList([])

function serveThreat(threat: ThreatDetail, groups: RelatedThreats['groups'] = []) {
  fakeBff.use(
    http.get('/bff/threats/:id', () => HttpResponse.json({ threat, freshness })),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups, freshness })),
    http.get('/bff/threats/:id/evidence/:index', ({ params }) =>
      params.index === '0'
        ? HttpResponse.arrayBuffer(new ArrayBuffer(8), { headers: { 'content-type': 'image/webp' } })
        : problem('picture_unavailable', 422, { title: 'The file is no picture' }),
    ),
  )
}

const section = async (name: string) => within(await screen.findByRole('region', { name }))

test('shows all that the record says', async () => {
  serveThreat(aThreatDetail('a-1', { otherFields: [{ path: 'meta.tags[0]', value: 'extortion' }] }))
  renderPage('/threats/a-1')

  expect(await screen.findByRole('heading', { level: 1, name: 'Threat a-1' })).toBeVisible()
  expect(document.title).toBe('Threat a-1 · Lantern')
  const analysis = await section('Analysis')
  expect(analysis.getByText('AI analysis, unverified')).toBeVisible()
  expect(analysis.getByText('A clinic group is extorted.')).toBeVisible()
  expect(analysis.getByText('Patient records may be public.')).toBeVisible()
  expect(analysis.getByText('Rotate remote access credentials.')).toBeVisible()
  expect((await section('Content')).getByText('We hold 40 GB of their files.')).toBeVisible()
  expect((await section('Other fields')).getByText('extortion')).toBeVisible()
  expect((await section('Raw record')).getByText('JSON of API v1')).toBeVisible()
})

test('an address is defanged and no link', async () => {
  serveThreat(aThreatDetail('a-1'))
  renderPage('/threats/a-1')
  const facts = await section('Facts')

  expect(facts.getByText('hxxp[:]//leaks[.]example/post?id=7')).toBeVisible()
  expect(facts.getByText('northwind[.]example')).toBeVisible()
  expect(screen.queryByRole('link', { name: /\[\.\]/ })).not.toBeInTheDocument()
})

test('an actor and a country lead to their pages, a victim and an industry to the feed', async () => {
  serveThreat(aThreatDetail('a-1'))
  renderPage('/threats/a-1')
  const facts = await section('Facts')
  const leadsTo = (name: string) => facts.getByRole('link', { name }).getAttribute('href')

  expect(leadsTo('Pale Harbour')).toBe('/actors/Pale%20Harbour')
  expect(leadsTo('Northwind Clinics')).toBe('/threats?q=Northwind+Clinics')
  expect(leadsTo('Germany')).toBe('/countries/DE')
  expect(leadsTo('Healthcare')).toBe('/threats?industry=Healthcare')
  expect(screen.getByRole('link', { name: 'Ransomware' })).toHaveAttribute(
    'href',
    '/threats?category=Ransomware',
  )
})

test('many values are shown on demand', async () => {
  serveThreat(aThreatDetail('a-1', { actors: Array.from({ length: 30 }, (_, index) => `Actor ${index}`) }))
  const { user } = renderPage('/threats/a-1')
  const facts = await section('Facts')

  expect(facts.getAllByRole('link', { name: /^Actor/ })).toHaveLength(5)
  await user.click(facts.getByRole('button', { name: 'Show all 30' }))
  expect(facts.getAllByRole('link', { name: /^Actor/ })).toHaveLength(30)
})

test('a risk level alone is not said to be written by a machine', async () => {
  serveThreat(
    aThreatDetail('a-1', {
      analysis: { riskLevel: 'high', summary: null, impact: null, recommendations: [], text: null },
    }),
  )
  renderPage('/threats/a-1')
  const analysis = await section('Analysis')

  expect(analysis.getByText('No analysis for this record')).toBeVisible()
  expect(analysis.getByText('High')).toBeVisible()
  expect(analysis.queryByText('AI analysis, unverified')).not.toBeInTheDocument()
  expect(analysis.queryByText(/a machine wrote this/i)).not.toBeInTheDocument()
})

test('withheld and not given are told apart', async () => {
  serveThreat(
    aThreatDetail('a-1', {
      content: null,
      analysis: null,
      sourceUrl: null,
      actors: [],
      redacted: ['content', 'analysis', 'sourceUrl', 'evidence'],
    }),
  )
  renderPage('/threats/a-1')

  for (const name of ['Content', 'Analysis', 'Evidence']) {
    expect((await section(name)).getByText('Withheld')).toBeVisible()
  }
  const facts = await section('Facts')
  expect(facts.getByText('Source address').parentElement).toHaveTextContent('Withheld by your plan')
  expect(facts.getByText('Actors').parentElement).toHaveTextContent('Not given')
})

test('evidence is hidden until it is revealed, then opens in the viewer', async () => {
  URL.createObjectURL = vi.fn(() => 'blob:picture')
  URL.revokeObjectURL = vi.fn()
  const shot = (index: number) => ({ type: 'screenshot', url: `https://cdn.example/${index}.png` })
  serveThreat(
    aThreatDetail('a-1', {
      evidence: [
        { ...shot(0), picture: '/bff/threats/a-1/evidence/0' },
        { ...shot(1), picture: '/bff/threats/a-1/evidence/1' },
        { ...shot(2), picture: null },
      ],
    }),
  )
  const { user, unmount } = renderPage('/threats/a-1')
  const evidence = await section('Evidence')
  const reveal = await evidence.findByRole('button', { name: 'Reveal Evidence 1' })
  expect(evidence.queryByRole('img', { name: 'Evidence 1' })).not.toBeInTheDocument()
  expect(await evidence.findByText('The file is no picture')).toBeVisible()
  expect(evidence.getAllByText('Picture unavailable')).toHaveLength(2)

  await user.click(reveal)
  const open = evidence.getByRole('button', { name: 'Open Evidence 1 in the viewer' })
  expect(open).toHaveFocus()
  await user.click(open)

  const viewer = within(await screen.findByRole('dialog', { name: 'Evidence 1' }))
  expect(viewer.getByRole('img', { name: 'Evidence 1' })).toBeVisible()
  expect(viewer.getByText('Fit')).toBeVisible()
  expect(viewer.queryByRole('button', { name: 'Next picture' })).not.toBeInTheDocument()
  await user.keyboard('+')
  expect(viewer.getByText('100 %')).toBeVisible()
  unmount()
  expect(URL.revokeObjectURL).toHaveBeenCalledTimes(vi.mocked(URL.createObjectURL).mock.calls.length)
})

test('related threats are grouped, and a group that is empty says why', async () => {
  serveThreat(aThreatDetail('a-1'), [
    { relation: 'actor', value: 'Pale Harbour', threats: [aThreat('a-2')], unavailable: null },
    { relation: 'victim', value: 'Northwind', threats: [], unavailable: 'The plan has no search.' },
    { relation: 'country', value: 'DE', threats: [], unavailable: null },
  ])
  renderPage('/threats/a-1?set=v1')
  const related = await section('Related threats')

  expect(await related.findByRole('link', { name: 'Threat a-2' })).toHaveAttribute(
    'href',
    '/threats/a-2?set=v1',
  )
  expect(related.getByRole('heading', { name: 'Same actor Pale Harbour' })).toBeVisible()
  expect(related.getByText('The plan has no search.')).toBeVisible()
  expect(related.getByRole('heading', { name: 'Same country Germany' })).toBeVisible()
})

test.each([
  ['not_found', 404, 'Threat not found'],
  ['plan_not_allowed', 403, 'This threat lies outside your plan'],
] as const)('a threat answered with %s has a page that offers no retry', async (code, status, heading) => {
  fakeBff.use(http.get('/bff/threats/:id', () => problem(code, status)))
  renderPage('/threats/a-1')

  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Threats' })).toBeVisible()
})

test.each(Object.entries(NASTY_STRINGS))('a record full of %s stays text', async (_, text) => {
  const detail = aThreatDetail('a-1')
  serveThreat({
    ...detail,
    title: text,
    excerpt: text,
    category: text,
    severity: text,
    actors: [text],
    countries: [{ code: null, name: text }],
    industries: [text],
    organizations: [text],
    domains: [text],
    content: text,
    sourceUrl: text,
    analysis: { riskLevel: text, summary: text, impact: text, recommendations: [text], text },
    evidence: [{ type: text, url: text, picture: null }],
    otherFields: [{ path: text, value: text }],
    records: [{ set: 'v1', json: JSON.stringify({ text }) }],
  })
  renderPage('/threats/a-1')
  await screen.findByRole('region', { name: 'Raw record' })

  const page = screen.getByRole('main')
  expect(page.querySelectorAll('script, style, iframe, object, img, table')).toHaveLength(0)
  expect([...page.querySelectorAll('form')].map((form) => form.textContent)).toEqual([
    expect.stringContaining('Note for the team'),
  ])
  expect(page.querySelectorAll('h1')).toHaveLength(1)
  for (const link of page.querySelectorAll('a')) {
    expect(link.getAttribute('href')).toMatch(
      /^\/(?:threats(?:\?(?:category|q|industry|severity)=[^&#]*)?|actors\/[^/?#]+|alerts\/new(?:\?name=[^#]*)?)$/,
    )
  }
})
