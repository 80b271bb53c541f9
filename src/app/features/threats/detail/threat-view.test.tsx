import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { expect, test, vi } from 'vitest'
import { aConcern, aThreat, aThreatDetail } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { serveThreat } from '#test/support/app/serve-threat.ts'
import { indentJson } from './threat-view.tsx'

const section = async (name: string) => within(await screen.findByRole('region', { name }))

test('shows all that the record says', async () => {
  serveThreat(aThreatDetail('a-1', { otherFields: [{ path: 'meta.tags[0]', value: 'see acme.example' }] }))
  renderPage('/threats/a-1')

  expect(await screen.findByRole('heading', { level: 1, name: 'Threat a-1' })).toBeVisible()
  expect(document.title).toBe('Threat a-1 · Lantern')
  const analysis = await section('Analysis')
  expect(analysis.getByText('AI analysis, unverified')).toBeVisible()
  expect(analysis.getByText('A clinic group is extorted.')).toBeVisible()
  expect(analysis.getByText('Patient records may be public.')).toBeVisible()
  expect(analysis.getByText('Rotate remote access credentials.')).toBeVisible()
  expect((await section('Content')).getByText('We hold 40 GB of their files.')).toBeVisible()
  expect((await section('Other fields')).getByText('see acme[.]example')).toBeVisible()
  expect((await section('Raw record')).getByText('JSON of API v1')).toBeVisible()
})

test.each([
  ['2099-03-02T10:00:00.000Z', undefined, '2 Mar 2099, 10:00 UTC · dated in the future'],
  [null, '2026-13-01', 'No readable date: “2026-13-01”'],
  [null, undefined, 'No date given'],
])('its heading says when: %s, %s', async (publishedAt, dateText, words) => {
  serveThreat(aThreatDetail('a-1', { publishedAt, ...(dateText && { dateText }) }))
  renderPage('/threats/a-1')
  const heading = await screen.findByRole('heading', { level: 1, name: 'Threat a-1' })
  expect(heading.parentElement).toHaveTextContent(words)
  if (publishedAt !== null) expect(heading.parentElement?.textContent.match(/2099/g)).toHaveLength(1)
})

test('its heading and its related threats say which entries of lists they match', async () => {
  const detail = { ...aThreatDetail('a-1'), concerns: [aConcern({ certainty: 'to-confirm' })] }
  const other = { ...aThreat('b-2'), concerns: [aConcern({ kind: 'customer' })] }
  serveThreat(detail, [{ relation: 'actor', value: 'Pale Harbour', threats: [other] }])
  renderPage('/threats/a-1')

  expect(await screen.findByText(/^Supplier\?/)).toHaveTextContent('Supplier? Okapi Ltd')
  expect(await (await section('Related threats')).findByText(/^Customer/)).toBeVisible()
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

test('a risk level alone has no note about AI', async () => {
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

test('opening a threat puts the focus on its heading', async () => {
  serveThreat(aThreatDetail('a-1'))
  renderPage('/threats/a-1')
  const heading = await screen.findByRole('heading', { level: 1, name: 'Threat a-1' })
  await waitFor(() => expect(heading).toHaveFocus())
})

test('domains in a title and in the names of victims are defanged, and copied in either form', async () => {
  serveThreat(
    aThreatDetail('a-1', {
      title: 'Files of acme.example',
      organizations: ['northwind.example', 'Northwind Clinics'],
      domains: [],
      sourceUrl: null,
    }),
  )
  const { user } = renderPage('/threats/a-1')
  expect(await screen.findByRole('heading', { level: 1, name: 'Files of acme[.]example' })).toBeVisible()
  expect(document.title).toBe('Files of acme[.]example · Lantern')
  const facts = await section('Facts')
  expect(facts.getByRole('link', { name: 'northwind[.]example' })).toBeVisible()
  expect(facts.queryByRole('button', { name: /^Copy Northwind Clinics/ })).not.toBeInTheDocument()

  const writeText = vi.spyOn(navigator.clipboard, 'writeText')
  facts.getByRole('button', { name: 'Copy northwind[.]example' }).focus()
  await user.keyboard('{Enter}')
  expect(writeText).toHaveBeenLastCalledWith('northwind[.]example')
  await user.click(screen.getByRole('button', { name: 'More ways: Copy Files of acme[.]example' }))
  await user.click(screen.getByRole('menuitem', { name: 'Copy raw' }))
  expect(writeText).toHaveBeenLastCalledWith('Files of acme.example')
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
  await waitFor(() => expect(evidence.getAllByText('Picture unavailable')).toHaveLength(2))

  await user.click(reveal)
  const open = evidence.getByRole('button', { name: 'Open Evidence 1 in the viewer' })
  expect(open).toHaveFocus()
  await user.click(open)

  const viewer = within(await screen.findByRole('dialog', { name: 'Evidence 1' }))
  expect(await viewer.findByRole('img', { name: 'Evidence 1' })).toBeVisible()
  expect(viewer.getByText('Fit')).toBeVisible()
  expect(viewer.queryByRole('button', { name: 'Next picture' })).not.toBeInTheDocument()
  await user.keyboard('+')
  expect(viewer.getByText('100 %')).toBeVisible()
  unmount()
  expect(URL.revokeObjectURL).toHaveBeenCalledTimes(vi.mocked(URL.createObjectURL).mock.calls.length)
})

test('a picture on another host loads only after its host was named, and a forbidden one names the setting', async () => {
  URL.createObjectURL = vi.fn(() => 'blob:picture')
  URL.revokeObjectURL = vi.fn()
  const url = 'https://cdn.example/1.png'
  serveThreat(
    aThreatDetail('a-1', {
      evidence: [
        { type: null, url, picture: '/bff/threats/a-1/evidence/0', host: 'cdn.example' },
        { type: null, url, picture: null, host: 'evil.example' },
        { type: null, url, picture: null },
      ],
    }),
  )
  const requests: string[] = []
  fakeBff.events.on('request:start', ({ request }) => {
    if (request.url.includes('/evidence/')) requests.push(new URL(request.url).pathname)
  })
  const { user } = renderPage('/threats/a-1')
  const evidence = await section('Evidence')
  const fetchIt = await evidence.findByRole('button', { name: /^Fetch it/ })
  expect(evidence.getByText(/which learns the server’s address/)).toHaveTextContent('cdn[.]example')
  expect(evidence.getByText(/EVIDENCE_HOSTS/)).toHaveTextContent('It lies with evil[.]example')
  expect(evidence.getByText('Its address is not one that Lantern fetches.')).toBeVisible()
  expect(evidence.queryByRole('button', { name: /^Reveal/ })).not.toBeInTheDocument()
  expect(requests).toEqual([])

  await user.click(fetchIt)
  const reveal = await evidence.findByRole('button', { name: 'Reveal Evidence 1' })
  expect(reveal).toHaveFocus()
  await user.click(reveal)
  expect(await evidence.findByRole('button', { name: 'Open Evidence 1 in the viewer' })).toBeVisible()
  expect(requests).toEqual(['/bff/threats/a-1/evidence/0'])
})

test('related threats are grouped, and a group that is empty says so', async () => {
  serveThreat(aThreatDetail('a-1'), [
    { relation: 'actor', value: 'Pale Harbour', threats: [aThreat('a-2')] },
    { relation: 'victim', value: 'Northwind', threats: [] },
    { relation: 'country', value: 'DE', threats: [] },
  ])
  renderPage('/threats/a-1?set=v1')
  const related = await section('Related threats')

  expect(await related.findByRole('link', { name: 'Threat a-2' })).toHaveAttribute(
    'href',
    '/threats/a-2?set=v1',
  )
  expect(related.getByRole('heading', { name: 'Same actor Pale Harbour' })).toBeVisible()
  expect(related.getAllByText('No others found.')).toHaveLength(2)
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

test.each(['', '   ', '\u2800\u3164', '\u200b', '.', '..'])(
  'no control is unnamed where all names are %j',
  async (text) => {
    serveThreat(
      aThreatDetail('a-1', {
        title: text,
        category: text,
        severity: text,
        actors: [text],
        organizations: [text],
        domains: [text],
        countries: [{ code: null, name: text }],
        industries: [text],
        sourceUrl: text,
        evidence: [{ type: text, url: text, picture: null }],
      }),
    )
    renderPage('/threats/a-1')
    await screen.findByRole('region', { name: 'Raw record' })
    for (const role of ['link', 'button', 'textbox', 'combobox', 'checkbox'] as const)
      for (const control of screen.queryAllByRole(role)) expect(control).toHaveAccessibleName()
  },
)

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
    expect.stringContaining('Comment for the team'),
  ])
  expect(page.querySelectorAll('h1')).toHaveLength(1)
  for (const link of page.querySelectorAll('a')) {
    expect(link.getAttribute('href')).toMatch(
      /^\/(?:threats(?:\?(?:category|q|industry|severity)=[^&#]*)?|actors\/[^/?#]+|alerts\/new(?:\?name=[^#]*)?)$/,
    )
  }
})

test('lays an object out in lines', () => {
  const value = { a: [1, { b: 'x, {y}: "z"' }], c: {}, d: [], e: null }
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
})

test('keeps every digit of a number', () => {
  expect(indentJson('{"id":12345678901234567890}')).toBe('{\n  "id": 12345678901234567890\n}')
})

test.each(['', 'not json', '{"a', ']]]}', '"\\'])('lays %j out without an error', (text) => {
  expect(indentJson(text)).toEqual(expect.any(String))
})
