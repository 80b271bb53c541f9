import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { ThreatProfiles } from '#contract/bff/alert.ts'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import { FRESH } from '#test/fixtures/alert-fixtures.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

type Verdict = ThreatProfiles['profiles'][number]

function serveThreat(
  profiles: ThreatProfiles['profiles'],
  members: Partial<ThreatDetail> = {},
  vendorProblem: ThreatProfiles['vendorProblem'] = null,
) {
  const threat: ThreatDetail = {
    ...aThreat('a-1'),
    content: null,
    sourceUrl: null,
    analysis: null,
    evidence: [],
    otherFields: [],
    records: [],
    ...members,
  }
  fakeBff.use(
    http.get('/bff/threats/a-1', () => HttpResponse.json({ threat, freshness: FRESH })),
    http.get('/bff/threats/a-1/related', () => HttpResponse.json({ groups: [], freshness: FRESH })),
    http.get('/bff/threats/a-1/profiles', () =>
      HttpResponse.json({ profiles, vendorProblem, freshness: vendorProblem ? null : FRESH }),
    ),
  )
}

const section = () => screen.findByRole('region', { name: 'Alert profiles' })

test('a threat’s page shows which profiles match it, by which words, and why others do not', async () => {
  serveThreat([
    {
      id: 'p-1',
      name: 'Suppliers',
      verdict: 'matches',
      keywords: ['northwind'],
      categories: [],
      mute: 'allowed',
    },
    {
      id: 'p-2',
      name: 'Banks',
      verdict: 'other_category',
      keywords: ['clinics'],
      categories: ['DDoS'],
      mute: 'refused',
    },
  ])
  const { user } = renderPage('/threats/a-1')
  const part = within(await section())

  const match = await part.findByRole('link', { name: 'Suppliers' })
  expect(match).toHaveAttribute('href', '/alerts?profile=p-1')
  expect(match.closest('li')).toHaveTextContent('Matches The threat contains “northwind”.')
  await user.click(part.getByText('1 profile does not match: why'))
  expect(part.getByText('Banks')).toBeVisible()
  expect(part.getByText(/asks for the category/)).toHaveTextContent('DDoS')
})

test('one press opens the builder with the victim and the actor', async () => {
  serveThreat([])
  const { user } = renderPage('/threats/a-1')
  const part = within(await section())
  expect(await part.findByText('There are no alert profiles yet.')).toBeVisible()

  await user.click(part.getByRole('link', { name: 'Alert me' }))
  expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Northwind Clinics')
  expect(screen.getByRole('button', { name: 'Remove Northwind Clinics' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Remove Pale Harbour' })).toBeVisible()
})

test('a failure keeps the rest of the page, and a plan without profiles hides no Lantern profile', async () => {
  serveThreat([])
  fakeBff.use(http.get('/bff/threats/a-1/profiles', () => problem('upstream_unavailable', 502)))
  const { unmount } = renderPage('/threats/a-1')
  expect(await within(await section()).findByRole('alert')).toHaveTextContent('Problem upstream_unavailable')
  expect(screen.getByRole('heading', { level: 1, name: 'Threat a-1' })).toBeVisible()
  unmount()

  const own: Verdict = {
    id: 'l-1',
    name: 'Own',
    verdict: 'matches',
    keywords: [],
    categories: [],
    mute: 'refused',
  }
  const other: Verdict = { ...own, id: 'l-2', name: 'Other', verdict: 'no_match' }
  serveThreat([own, other], {}, { code: 'plan_not_allowed', detail: 'Another plan has them.' })
  const { user } = renderPage('/threats/a-1')
  const part = within(await section())
  expect(await part.findByText('Profiles in the vendor’s account are not in your plan.')).toBeVisible()
  expect(part.getByText('Its search finds the threat.')).toBeVisible()
  await user.click(part.getByText('1 profile does not match: why'))
  expect(part.getByText('Its search does not find the threat.')).toBeVisible()
})

test('offers only names that a profile can hold', async () => {
  serveThreat([], { organizations: ['A'.repeat(201), '—', 'Northwind Clinics'], actors: [] })
  renderPage('/threats/a-1')
  const link = await within(await section()).findByRole('link', { name: 'Alert me' })
  expect(link).toHaveAttribute('href', '/alerts/new?name=Northwind+Clinics&keyword=Northwind+Clinics')
})

test('offers a viewer no builder, in which nothing can be saved', async () => {
  serveThreat([])
  fakeBff.use(
    http.get('/bff/session', () =>
      HttpResponse.json({ ...SESSION, user: { ...SESSION.user, role: 'viewer' } }),
    ),
  )
  renderPage('/threats/a-1')
  const part = within(await section())
  expect(await part.findByText('There are no alert profiles yet.')).toBeVisible()
  expect(part.queryByRole('link', { name: 'Alert me' })).toBeNull()
})
