import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { chooseValue } from '#test/support/app/choose-value.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

/** Answers every list request alike, and records the requests. */
function serveList(list: ThreatList = aThreatList([aThreat('a-1')])): URLSearchParams[] {
  const requests: URLSearchParams[] = []
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      requests.push(new URL(request.url).searchParams)
      return HttpResponse.json(list)
    }),
  )
  return requests
}

test('a choice goes into the address and into the request, and Back undoes it', async () => {
  const requests = serveList()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')

  await chooseValue(user, 'Country', 'Germany')

  await waitFor(() => expect(router.state.location.href).toBe('/threats?country=DE'))
  await waitFor(() => expect(requests.at(-1)?.getAll('country')).toEqual(['DE']))
  router.history.back()
  await waitFor(() => expect(screen.getByLabelText('Country')).toHaveValue(''))
})

test('one press narrows the list to what concerns us, another lifts it, and the search stays', async () => {
  const requests = serveList()
  const { router, user } = renderPage('/threats?q=acme+OR+contoso')
  await screen.findByText('1 case')
  const button = () => screen.getByRole('button', { name: 'Concerns us' })
  await user.click(await screen.findByRole('button', { name: 'Concerns us', pressed: false }))
  await waitFor(() => expect(requests.at(-1)?.get('q')).toBe('(acme OR contoso) list:*'))
  await waitFor(() => expect(button()).toHaveAttribute('aria-pressed', 'true'))
  await user.click(button())
  await waitFor(() => expect(router.state.location.search).toEqual({ q: '(acme OR contoso)' }))
  await waitFor(() => expect(button()).toHaveAttribute('aria-pressed', 'false'))
})

test('what concerns us is offered once it is known whether the search holds it', async () => {
  serveList()
  const { router, user } = renderPage('/threats?q=list:*+acme')
  await user.click(await screen.findByRole('button', { name: 'Concerns us', pressed: true }))
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme' }))
  expect(screen.getByRole('button', { name: 'Concerns us' })).toHaveAttribute('aria-pressed', 'false')
})

test('search waits for a pause in typing, and adds one step to the history', async () => {
  const requests = serveList()
  const { router } = renderPage('/threats')
  await screen.findByText('1 case')

  // At once: on a busy machine, keys may come later than the search waits for them.
  for (const value of ['acme', 'acme corp', 'acme corp '])
    fireEvent.change(screen.getByLabelText('Search'), { target: { value } })

  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme corp' }))
  expect(screen.getByLabelText('Search')).toHaveValue('acme corp ')
  await waitFor(() => expect(requests.at(-1)?.get('q')).toBe('acme corp'))
  expect(requests.map((query) => query.get('q'))).toEqual([null, 'acme corp'])
  expect(router.history.length).toBe(1)
})

test('a link opens with its filters in the controls, and each can be removed', async () => {
  serveList()
  const { router, user } = renderPage('/threats?country=de&category=DDoS&q=acme&from=2026-11-01&nonsense=1')
  const chips = await screen.findByRole('list', { name: 'Filters in use' })

  expect(screen.getByLabelText('Country')).toHaveValue('Germany')
  expect(screen.getByLabelText('Category')).toHaveValue('DDoS')
  expect(screen.getByLabelText('Search')).toHaveValue('acme')
  expect(screen.getByLabelText('From')).toHaveValue('2026-11-01')
  await user.click(within(chips).getByRole('button', { name: 'Remove Category: DDoS' }))
  await waitFor(() => expect(screen.getByLabelText('Category')).toHaveValue(''))

  await user.click(screen.getByRole('button', { name: 'Clear all' }))

  await waitFor(() => expect(screen.getByLabelText('Search')).toHaveValue(''))
  expect(router.state.location.search).not.toHaveProperty('country')
})

test('a relative range replaces chosen days, and chosen days replace the range', async () => {
  const requests = serveList()
  const { router, user } = renderPage('/threats?from=2026-11-01&to=2026-11-02')
  await screen.findByText('1 case')

  await user.click(screen.getByRole('button', { name: '7 days' }))
  await waitFor(() => expect(router.state.location.href).toBe('/threats?within=7d'))
  expect(screen.getByRole('button', { name: '7 days' })).toHaveAttribute('aria-pressed', 'true')
  expect(screen.getByLabelText('From')).toHaveValue('')
  await waitFor(() => expect(requests.at(-1)?.get('within')).toBe('7d'))

  fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-02' } })
  await waitFor(() => expect(router.state.location.href).toBe('/threats?to=2026-11-02'))

  await user.click(screen.getByRole('button', { name: 'Today' }))
  await user.click(await screen.findByRole('button', { name: 'Remove Published: today' }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('within'))
})

test('an old bookmark that names an API opens with its other filters', async () => {
  const requests = serveList()
  renderPage('/threats?set=earlier&severity=high')
  await screen.findByText('1 case')

  expect(requests.map((query) => [query.get('set'), query.get('severity')])).toEqual([[null, 'high']])
  for (const label of ['Search', 'Severity', 'Actor', 'Industry', 'To'])
    expect(screen.getByLabelText(label)).toBeEnabled()
  expect(screen.getByRole('list', { name: 'Filters in use' })).not.toHaveTextContent('API')
})

test('days are days of the reader’s time zone', async () => {
  localStorage.setItem('lantern.preferences', JSON.stringify({ timeZone: 'Asia/Tokyo' }))
  const requests = serveList()
  renderPage('/threats?from=2026-11-01')
  await screen.findByText('1 case')

  expect(requests.at(0)?.get('timeZone')).toBe('Asia/Tokyo')
  expect(screen.getByText('20 Nov 2026, 17:30 UTC+9')).toBeInTheDocument()
})

test('the refusal of a filter has a button that removes the filter', async () => {
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      const isRefused = new URL(request.url).searchParams.has('severity')
      if (!isRefused) return HttpResponse.json(aThreatList([aThreat('a-1')]))
      return problem('filter_not_supported', 422, { fields: [{ name: 'severity', reason: 'Nobody can.' }] })
    }),
  )
  const { user } = renderPage('/threats?severity=high')
  await screen.findByText('Nobody can.')

  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Remove Severity' }))

  await screen.findByText('1 case')
})

test('a failed list keeps the filters', async () => {
  fakeBff.use(http.get('/bff/threats', () => problem('upstream_unavailable', 503)))
  const { user } = renderPage('/threats?q=acme')
  await screen.findByText('Problem upstream_unavailable')
  expect(screen.getByLabelText('Search')).toHaveValue('acme')

  serveList()
  await user.click(screen.getByRole('button', { name: 'Try again' }))

  await screen.findByText('1 case')
})
