import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { QUIET_SHIFT, SHIFT } from '#test/fixtures/shift-fixtures.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { giveBrowserLocks, streamEvents } from '#test/support/app/live-stream.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const part = async (name: string) => within(await screen.findByRole('region', { name }))

function serve(shift = SHIFT): string[] {
  const requested: string[] = []
  fakeBff.use(
    http.post('/bff/shift-visits', () => {
      requested.push('visit')
      return HttpResponse.json({ since: SHIFT.since })
    }),
    http.get('/bff/shift', ({ request }) => {
      requested.push(new URL(request.url).searchParams.get('since') ?? '')
      return HttpResponse.json(shift)
    }),
  )
  return requested
}

test('begins with the last visit, and keeps the beginning in the address', async () => {
  const requested = serve()
  const { router, user } = renderPage('/shift')
  await waitFor(() => expect(router.state.location.search).toEqual({ since: SHIFT.since }))
  await part('Cases with new claims')
  expect(requested).toEqual(['visit', SHIFT.since])

  const starts = within(screen.getByRole('group', { name: 'Beginning of the shift' }))
  const chosen = () => starts.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
  expect(chosen()).toEqual(['Since my last visit'])
  await user.click(starts.getByRole('button', { name: 'Last 8 hours' }))
  await waitFor(() => expect(chosen()).toEqual(['Last 8 hours']))
  expect(router.state.location.search).not.toEqual({ since: SHIFT.since })
  await user.click(starts.getByRole('button', { name: 'Since my last visit' }))
  await waitFor(() => expect(chosen()).toEqual(['Since my last visit']))
})

test('is read again when something changes, without a reload', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  const requested = serve()
  renderPage(`/shift?since=${SHIFT.since}`)
  await part('Comments')
  await expect.poll(() => streams.length).toBe(1)
  const before = requested.length
  fakeBff.use(http.get('/bff/shift', () => HttpResponse.json({ ...SHIFT, overdue: QUIET_SHIFT.overdue })))
  send('data: {"kind":"triage","ids":["t-4"]}\n\n')
  expect(await screen.findByText('No case is overdue.')).toBeVisible()
  expect(requested.length).toBe(before)
})

test('shows the age of data that could not be refreshed', async () => {
  giveBrowserLocks()
  const { streams, send } = streamEvents()
  serve()
  renderPage(`/shift?since=${SHIFT.since}`)
  await part('Comments')
  expect(screen.getByText(/^Updated/)).toBeVisible()
  await expect.poll(() => streams.length).toBe(1)
  fakeBff.use(http.get('/bff/shift', () => problem('upstream_unavailable', 502)))
  send('data: {"kind":"triage","ids":["t-4"]}\n\n')
  expect(await screen.findByText(/not current/, {}, { timeout: 5_000 })).toBeVisible()
  await part('Comments')
})

test('says that claims may be missing while the vendor cannot be read', async () => {
  const staleReason = 'The vendor cannot be reached or failed.'
  serve({ ...QUIET_SHIFT, freshness: { fetchedAt: SHIFT.since, isStale: true, staleReason } })
  renderPage(`/shift?since=${SHIFT.since}`)
  const added = await part('Cases with new claims')
  expect(added.getByText('Lantern has read no new claim since then.')).toBeVisible()
  expect(screen.getByText(/not current/)).toHaveTextContent(
    /^Updated .+, not current\. The vendor cannot be reached or failed\.$/,
  )
})

test('says before the first read that nothing is stored, and counts nothing', async () => {
  const staleReason = 'Nothing has been read from the vendor yet.'
  const coverage = { status: 'none' as const, from: null, to: null, gaps: [] }
  serve({ ...QUIET_SHIFT, freshness: { fetchedAt: SHIFT.since, isStale: true, staleReason, coverage } })
  renderPage(`/shift?since=${SHIFT.since}`)
  expect(await screen.findByText('No threats stored yet')).toBeVisible()
  expect(screen.getByText(staleReason)).toBeVisible()
  expect(screen.queryByText(/Updated/)).toBeNull()
  expect(screen.queryByText('No case is overdue.')).toBeNull()
})

test('shows how late each overdue case is, and its owner if there is one', async () => {
  const [state] = SHIFT.overdue.states
  const newest = [aThreat('t-4'), aThreat('t-6')]
  const mine = state?.owner && { ...state.owner, isMe: true }
  const states = state
    ? [
        { ...state, owner: mine ?? null },
        { ...state, id: 't-6', owner: null },
      ]
    : []
  serve({ ...SHIFT, overdue: { ...SHIFT.overdue, cases: 2, newest, states } })
  renderPage(`/shift?since=${SHIFT.since}`)
  const lines = (await part('Overdue')).getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(lines).toEqual([
    expect.stringMatching(/Threat t-4Overdue by \d+ .*Grace Example/),
    expect.stringMatching(/Threat t-6Overdue by \d+ .*Nobody/),
  ])
})

test('offers to make a list where there is none, but not to a viewer', async () => {
  serve({ ...QUIET_SHIFT, hasLists: false })
  const page = renderPage(`/shift?since=${SHIFT.since}`)
  expect(await screen.findByRole('link', { name: 'Make a list' })).toHaveAttribute('href', '/lists/new')
  expect(screen.queryByText('No new claim matches a list.')).toBeNull()
  page.unmount()
  fakeBff.use(
    http.get('/bff/session', () =>
      HttpResponse.json({ ...SESSION, user: { ...SESSION.user, role: 'viewer' } }),
    ),
  )
  renderPage(`/shift?since=${SHIFT.since}`)
  await part('Comments')
  expect(screen.queryByRole('link', { name: 'Make a list' })).toBeNull()
  expect(screen.queryByRole('region', { name: 'Concerns us' })).toBeNull()
})

test('leads from each count to the feed, and from each line to its threat', async () => {
  const requested = serve()
  renderPage('/shift?since=2026-11-20T06:00:00Z')
  const added = await part('Cases with new claims')
  expect(requested).toEqual(['2026-11-20T06:00:00.000Z'])
  expect(added.getByRole('link', { name: '60 cases' })).toHaveAttribute(
    'href',
    '/threats?since=2026-11-21T06%3A00%3A00.000Z',
  )
  expect(added.getByText('58 more are not listed here.')).toBeVisible()
  const closed = (await part('Closed')).getByRole('link')
  expect(closed).toHaveAttribute('href', '/threats/t-3')
  expect((await part('Open by owner')).getByRole('link', { name: /^Nobody: 7 cases/ })).toHaveAttribute(
    'href',
    '/threats?q=owner%3Anobody&triage=open',
  )
  expect((await part('Overdue')).getByRole('link', { name: '1 case' })).toHaveAttribute(
    'href',
    '/threats?triage=overdue',
  )
  // A mention has the present name, and no address is live.
  expect((await part('Comments')).getByText(/@Grace Example/)).toBeInTheDocument()
})

test('ignores a start in the address that is not a time', async () => {
  const requested = serve()
  const { router } = renderPage('/shift?since=yesterday')
  await waitFor(() => expect(router.state.location.search).toEqual({ since: SHIFT.since }))
  expect(requested[0]).toBe('visit')
})

test('shows names and comments as inert text', async () => {
  const names = Object.values(NASTY_STRINGS).filter((name) => name.length < 2000)
  const [comment] = SHIFT.comments.newest
  const owners = names.map((name, at) => ({ name, cases: 1, filter: { q: `owner:${at}` } }))
  const newest = names.flatMap((text) => (comment ? { ...comment, text, mentions: [] } : []))
  serve({ ...SHIFT, owners, comments: { count: newest.length, newest } })
  const { container } = renderPage(`/shift?since=${SHIFT.since}`)
  await part('Comments')
  expect(container.querySelectorAll('script, iframe, form, a:not([href^="/"], [href="#main"])')).toHaveLength(
    0,
  )
})
