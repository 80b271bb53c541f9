import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import { keysOf } from '#app/features/live/live-options.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { serveTriage } from '#test/support/app/serve-triage.ts'

const SOLD = aThreat('sold', {
  actors: ['Brine'],
  category: 'Data leak',
  excerpt: 'A database is offered',
})
const NOTE = { id: '7', claimCount: 3, actorCount: 2 }
const OTHER = aThreat('other')
const CASES = aThreatList([{ ...SOLD, case: NOTE }, OTHER], { total: 4, cases: 2 })
const { cases: _, ...CLAIMS } = aThreatList([SOLD, aThreat('part'), OTHER, aThreat('first')])

afterEach(() => vi.unstubAllGlobals())

/** Serves the list that the request means, and collects the requests. */
function serveList() {
  const requests: URLSearchParams[] = []
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      const { searchParams } = new URL(request.url)
      requests.push(searchParams)
      return HttpResponse.json(searchParams.get('rows') === 'cases' ? CASES : CLAIMS)
    }),
  )
  return requests
}

const rowOf = (title: string) => screen.getByRole('link', { name: title }).closest('tr')

test('a case has one row, which shows its numbers of claims and groups', async () => {
  const requests = serveList()
  renderPage('/threats')
  expect(await screen.findByText('2 cases, 4 claims')).toBeVisible()
  expect(requests.map((query) => query.get('rows'))).toEqual(['cases'])
  expect(rowOf('Threat sold')).toHaveTextContent('3 claims · 2 groups · A database is offered')
  expect(rowOf('Threat other')).not.toHaveTextContent('claim')
  expect(await screen.findByText('End of list · 2 cases')).toBeVisible()
})

test('a row without a text shows its claims and no placeholder for the text', async () => {
  const bare = aThreat('bare', { excerpt: null })
  const withheld = aThreat('withheld', { excerpt: null, redacted: ['excerpt'] })
  const threats = [{ ...bare, case: NOTE }, { ...withheld, case: NOTE }, aThreat('alone', { excerpt: null })]
  fakeBff.use(http.get('/bff/threats', () => HttpResponse.json(aThreatList(threats, { total: 7, cases: 3 }))))
  renderPage('/threats')
  await screen.findByText('3 cases, 7 claims')
  expect(rowOf('Threat bare')).toHaveTextContent('3 claims · 2 groups')
  expect(rowOf('Threat bare')).not.toHaveTextContent('groups ·')
  expect(rowOf('Threat withheld')).toHaveTextContent(/groups · \S/)
  expect(rowOf('Threat alone')).toHaveTextContent('Threat alone—')
})

test('a case shows its news, as plain text, until it is read', async () => {
  serveList()
  const { actions } = serveTriage()
  const read = { at: '2026-11-21T12:00:00.000Z', who: 'ada@lantern.example' }
  const news = 'also claimed by <b>http://evil.example</b>, data published'
  const state = { id: 'sold', read: null, starred: null, closed: null, owner: null, notes: 0, news }
  fakeBff.use(
    http.post('/bff/triage/states', () =>
      HttpResponse.json({ states: [actions.length > 0 ? { ...state, read, news: undefined } : state] }),
    ),
  )
  const { user } = renderPage('/threats')
  await waitFor(() =>
    expect(rowOf('Threat sold')).toHaveTextContent(
      '3 claims · 2 groups · New: also claimed by <b>hxxp[:]//evil[.]example</b>, data published · A database',
    ),
  )
  await user.keyboard('jr')
  await waitFor(() => expect(actions).toMatchObject([{ action: 'read' }]))
  await waitFor(() => expect(rowOf('Threat sold')).not.toHaveTextContent('New:'))
})

test.each([
  ['/threats', '3 claims · 2 groups Data leak'],
  ['/threats?density=compact', 'Threat sold3 claims · 2 groups'],
  ['/threats?columns=actor', 'Threat sold3 claims · 2 groups'],
])('on a phone the row of a case says it as well: %s', async (url, text) => {
  vi.stubGlobal('innerWidth', 390)
  serveList()
  renderPage(url)
  await screen.findByText('2 cases, 4 claims')
  await waitFor(() => expect(rowOf('Threat sold')).toHaveTextContent(text))
  expect(screen.getAllByText(/3 claims/)).toHaveLength(1)
})

test('the address names the choice of claims, and omits the default', async () => {
  const requests = serveList()
  const { user, router } = renderPage('/threats')
  await screen.findByText('2 cases, 4 claims')
  await user.click(await screen.findByRole('button', { name: 'Display' }))
  const choice = within(
    within(screen.getByRole('dialog', { name: 'Display' })).getByRole('group', { name: 'Rows' }),
  )
  expect(choice.getByRole('button', { name: 'Cases' })).toHaveAttribute('aria-pressed', 'true')
  await user.click(choice.getByRole('button', { name: 'Claims' }))
  expect(await screen.findByText('4 claims')).toBeVisible()
  expect(await screen.findByText('End of list · 4 claims')).toBeVisible()
  expect(router.state.location.search).toEqual({ rows: 'claims' })
  expect(requests.at(-1)?.get('rows')).toBe('claims')
  expect(screen.queryByText(/groups/)).not.toBeInTheDocument()

  await user.click(choice.getByRole('button', { name: 'Cases' }))
  expect(await screen.findByText('2 cases, 4 claims')).toBeVisible()
  expect(router.state.location.search).toEqual({})
})

test('a change of cases brings new totals, and leaves the rows where they are', async () => {
  const requests = serveList()
  const { router } = renderPage('/threats')
  await screen.findByText('2 cases, 4 claims')
  const joined = aThreatList([{ ...SOLD, case: { ...NOTE, claimCount: 4 } }], { total: 4, cases: 1 })
  fakeBff.use(http.get('/bff/threats', () => HttpResponse.json(joined)))
  const { queryClient } = router.options.context
  for (const queryKey of keysOf('cases')) queryClient.invalidateQueries({ queryKey })
  expect(await screen.findByText('1 case, 4 claims')).toBeVisible()
  expect(rowOf('Threat other')).toBeVisible()
  expect(requests).toHaveLength(1)
})

test('counts new threats in claims, with rows of cases and of claims', async () => {
  serveList()
  const queries: URLSearchParams[] = []
  fakeBff.use(
    http.get('/bff/new-threats', ({ request }) => {
      queries.push(new URL(request.url).searchParams)
      return HttpResponse.json({ newThreats: 1, isWhole: true })
    }),
  )
  const fresh = { ...CASES, freshness: { ...CASES.freshness, change: 5 } }
  fakeBff.use(http.get('/bff/threats', () => HttpResponse.json(fresh)))
  const { router } = renderPage('/threats')
  await screen.findByText('2 cases, 4 claims')
  await router.options.context.queryClient.refetchQueries({ queryKey: ['threats', 'new'] })
  expect(await screen.findByRole('button', { name: '1 new claim' })).toBeVisible()
  expect(queries[0]?.has('rows')).toBe(false)
})
