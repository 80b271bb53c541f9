import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { aThreat, aThreatDetail, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const { freshness } = aThreatList([])

beforeEach(() => {
  fakeBff.use(
    http.get('/bff/threats', () => HttpResponse.json(aThreatList([aThreat('a-1')], {}))),
    http.get('/bff/threats/:id', ({ params }) =>
      HttpResponse.json({ threat: aThreatDetail(String(params.id)), freshness }),
    ),
    http.get('/bff/threats/:id/related', () => HttpResponse.json({ groups: [], freshness })),
  )
})

/** The state of a case that is due in some hours, or was before now. */
function serveDue(hours: number) {
  const at = Date.now() + hours * HOUR_MS
  const state: TriageState = {
    id: 'a-1',
    read: null,
    starred: null,
    closed: null,
    owner: null,
    notes: 0,
    due: {
      at: new Date(at).toISOString(),
      knownAt: new Date(at - 24 * HOUR_MS).toISOString(),
      severity: 'high',
      hours: 24,
    },
  }
  fakeBff.use(http.post('/bff/triage/states', () => HttpResponse.json({ states: [state] })))
}

test('an owner whose account is inactive is marked as such, in the feed and on the page', async () => {
  const owner = {
    at: '2026-11-21T12:00:00.000Z',
    who: 'ada@lantern.example',
    ownerId: 'a0000000-0000-4000-8000-000000000002',
    name: 'Grace Example',
    isMe: false,
    isActive: false,
  }
  const state = { id: 'a-1', read: null, starred: null, closed: null, owner, notes: 0 }
  fakeBff.use(http.post('/bff/triage/states', () => HttpResponse.json({ states: [state] })))
  const { user } = renderPage('/threats')
  expect(await screen.findByText('Owned by Grace Example, whose account is inactive.')).toBeInTheDocument()
  await user.click(screen.getByRole('link', { name: 'Threat a-1' }))
  expect(await screen.findByText('Grace Example')).toBeVisible()
  expect(screen.getByText('Account inactive')).toBeVisible()
})

test('Overdue in the feed is a filter of its address', async () => {
  const requested: string[] = []
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      requested.push(new URL(request.url).searchParams.get('triage') ?? '')
      return HttpResponse.json(aThreatList([aThreat('a-1')], {}))
    }),
  )
  const { user, router } = renderPage('/threats')
  await user.click(await screen.findByRole('button', { name: 'Overdue' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ triage: 'overdue' }))
  await waitFor(() => expect(requested.at(-1)).toBe('overdue'))
})

test.for([
  { hours: 30, badge: null },
  { hours: 2.5, badge: 'Due in 2 h' },
  { hours: -3.5, badge: 'Overdue by 3 h' },
])('a row says $badge of a case that is due in $hours h', async ({ hours, badge }) => {
  serveDue(hours)
  const threat = aThreat('a-1', { excerpt: null })
  fakeBff.use(http.get('/bff/threats', () => HttpResponse.json(aThreatList([threat], {}))))
  renderPage('/threats')
  const link = await screen.findByRole('link', { name: 'Threat a-1' })
  const row = within(link.closest('tr') ?? expect.fail('no row'))
  if (badge === null) expect(row.queryByText(/^(Due|Overdue)/)).toBeNull()
  else expect(await row.findByText(badge)).toBeVisible()
  // The second line is never empty.
  const title = link.closest('td, th') ?? expect.fail('no cell')
  expect(title.textContent).toMatch(badge ?? /Not given/)
})

test('a list is sorted by when cases are due', async () => {
  const { user, router } = renderPage('/threats')
  await user.click(await screen.findByRole('button', { name: 'Sort and group: Newest first' }))
  await user.selectOptions(await screen.findByLabelText('Sort by'), 'Due time')
  expect(screen.getByLabelText('Order')).toHaveDisplayValue('Due first')
  await waitFor(() => expect(router.state.location.search).toMatchObject({ sort: 'due' }))
})

test.for([
  { hours: 2.5, badge: 'Due in 2 h', rule: /^Due .*: 24 h for severity high, from/ },
  { hours: -50, badge: 'Overdue by 2 d', rule: /^Overdue since .*: 24 h for severity high, from/ },
])('the page of a threat says $badge, and by which rule', async ({ hours, badge, rule }) => {
  serveDue(hours)
  renderPage('/threats/a-1')
  expect(await screen.findByText(badge)).toBeVisible()
  const team = within(await screen.findByRole('region', { name: 'Team' }))
  expect(team.getByText(rule)).toBeVisible()
})
