import type { QueryClient } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { isNewestFirst } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { aConcern, aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { chooseValue } from '#test/support/app/choose-value.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { listOrderAfterPress } from './threats-feed.tsx'

/** Answers by the requested cursor. The first page has none. */
function servePages(pages: Readonly<Record<string, ThreatList>>): Headers[] {
  const requests: Headers[] = []
  fakeBff.use(
    http.get('/bff/threats', ({ request }) => {
      requests.push(request.headers)
      const page = pages[new URL(request.url).searchParams.get('cursor') ?? 'first']
      return page ? HttpResponse.json(page) : problem('upstream_unavailable', 503)
    }),
  )
  return requests
}

const [a, b, c] = [aThreat('a-1'), aThreat('a-2'), aThreat('a-3')]
const titles = () => screen.getAllByRole('link', { name: /^Threat / }).map(({ textContent }) => textContent)

test('says how many and how old', async () => {
  servePages({
    first: aThreatList([a], { total: 12_345, isTotalExact: false }),
  })
  renderPage('/threats')

  expect(await screen.findByText('about 12,345 cases')).toBeVisible()
  expect(screen.getByText('12:03 UTC')).toBeVisible()
  expect(screen.getByRole('heading', { level: 1, name: 'Threats' })).toBeVisible()
  expect(document.title).toBe('Threats · Lantern')
})

test('a row shows severity, actor, victim, country, category, text and time', async () => {
  servePages({ first: aThreatList([a]) })
  renderPage('/threats')
  const row = (await screen.findByRole('link', { name: 'Threat a-1' })).closest('tr')

  expect(row).toHaveTextContent('High')
  expect(row).toHaveTextContent('Files are said to be for sale.')
  expect(row).toHaveTextContent('Pale Harbour')
  expect(row).toHaveTextContent('Northwind Clinics')
  expect(row).toHaveTextContent('Germany')
  expect(row).toHaveTextContent('Ransomware')
  expect(row).toHaveTextContent('20 Nov 2026, 08:30 UTC')
})

test('a row says which entry of a list the threat matches', async () => {
  servePages({ first: aThreatList([{ ...a, concerns: [aConcern()] }, b]) })
  renderPage('/threats')
  const row = (await screen.findByRole('link', { name: 'Threat a-1' })).closest('tr')

  await waitFor(() => expect(row).toHaveTextContent('Supplier: Okapi Ltd'))
  expect(screen.getAllByText(/Okapi Ltd/)).toHaveLength(1)
})

test('describes missing, unreadable and future dates, and counts undated records', async () => {
  const threats = [
    aThreat('future', { publishedAt: '2099-03-02T10:00:00.000Z' }),
    aThreat('unreadable', { publishedAt: null, dateText: '2026-13-01' }),
    aThreat('undated', { publishedAt: null }),
  ]
  servePages({ first: aThreatList(threats, { undated: 2 }) })
  renderPage('/threats')
  const row = async (id: string) => (await screen.findByRole('link', { name: `Threat ${id}` })).closest('tr')

  expect(await row('future')).toHaveTextContent(/future date2 Mar 2099, 10:00 UTC$/)
  expect(await row('unreadable')).toHaveTextContent(/no dategiven as “2026-13-01”$/)
  expect(await row('undated')).toHaveTextContent(/Ransomwareno date$/)
  const link = await screen.findByRole('link', { name: '2 cases without a date' })
  expect(link).toHaveAttribute('href', '/threats?within=undated')
  expect(link.parentElement).toHaveTextContent(/^2 cases without a date, at the end$/)
})

test('shows what the plan withholds and what was never given as two things', async () => {
  const bare = { title: null, organizations: [], actors: [] }
  servePages({ first: aThreatList([aThreat('a-1', { ...bare, redacted: ['title', 'organizations'] })]) })
  renderPage('/threats')
  const link = await screen.findByRole('link', { name: 'Title withheld by your plan' })

  const row = within(link.closest('tr') ?? link)
  expect(row.getByText('Withheld')).toBeVisible()
  expect(row.getByText('Not given')).toBeInTheDocument()
})

test('pages to the end, showing no threat twice', async () => {
  servePages({
    first: aThreatList([a, b], { nextCursor: 'two', total: 3 }),
    two: aThreatList([b, c], { total: 3 }),
  })
  renderPage('/threats')

  expect(await screen.findByText('End of list · 3 cases')).toBeVisible()
  expect(titles()).toEqual(['Threat a-1', 'Threat a-2', 'Threat a-3'])
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '4')
})

test('does not call a list complete that ends early', async () => {
  const endsEarly = 'The names that this list is ordered by are too long to go on from here.'
  servePages({ first: aThreatList([a], { nextCursor: 'two' }), two: aThreatList([b], { endsEarly }) })
  renderPage('/threats')
  expect(await screen.findByText(/^The list ends early, after 2 cases/)).toBeVisible()
  expect(screen.getByText(new RegExp(endsEarly))).toBeVisible()
})

test('names what is missing at the end of a list', async () => {
  const { freshness, ...list } = aThreatList([a], { total: 409, isTotalExact: false })
  const missing = {
    unreadable: { count: 11, example: 'record 3 on page 2 of the list', reason: 'no id' },
    total: { said: 420, read: 409 },
    notes: [],
  }
  servePages({ first: { ...list, freshness: { ...freshness, missing } } })
  renderPage('/threats')
  expect(await screen.findByText('about 409 cases')).toBeVisible()
  const example = 'no id (example: record 3 on page 2 of the list)'
  expect(screen.getByText(`11 records could not be read: ${example}.`)).toBeVisible()
  expect(screen.getByText('The vendor says 420 threats, and 409 were read.')).toBeVisible()
})

test('continues after a page without new rows', async () => {
  servePages({
    first: aThreatList([a], { nextCursor: 'two' }),
    two: aThreatList([a], { nextCursor: 'three' }),
    three: aThreatList([a, b]),
  })
  renderPage('/threats')

  await screen.findByText('End of list · 2 cases')
  expect(titles()).toEqual(['Threat a-1', 'Threat a-2'])
})

test('continues after a change of filter at the end of the list', async () => {
  servePages({ first: aThreatList([a]) })
  const { user } = renderPage('/threats')
  await screen.findByText('End of list · 1 case')

  servePages({ first: aThreatList([b], { nextCursor: 'two' }), two: aThreatList([c]) })
  await chooseValue(user, 'Category', 'DDoS')

  await screen.findByText('End of list · 2 cases')
  expect(titles()).toEqual(['Threat a-2', 'Threat a-3'])
})

test('a cursor that comes again ends the list', async () => {
  const requests = servePages({
    first: aThreatList([a], { nextCursor: 'two' }),
    two: aThreatList([b], { nextCursor: 'two' }),
  })
  renderPage('/threats')

  await screen.findByText('End of list · 2 cases')
  expect(requests).toHaveLength(2)
})

test('a page that fails leaves the rows, and can be tried again', async () => {
  const requests = servePages({ first: aThreatList([a], { nextCursor: 'two' }) })
  const { user } = renderPage('/threats')
  await screen.findByText(/^Older threats did not load/)
  expect(titles()).toEqual(['Threat a-1'])
  expect(requests).toHaveLength(2)

  servePages({ two: aThreatList([b]) })
  await user.click(screen.getByRole('button', { name: 'Try again' }))

  await screen.findByText('End of list · 2 cases')
})

test('a list that changed too much to continue starts again', async () => {
  fakeBff.use(
    http.get('/bff/threats', ({ request }) =>
      new URL(request.url).searchParams.has('cursor')
        ? problem('bad_request', 400)
        : HttpResponse.json(aThreatList([a], { nextCursor: 'two' })),
    ),
  )
  const { user } = renderPage('/threats')
  await screen.findByText('The list has changed meanwhile.')

  servePages({ first: aThreatList([b]) })
  await user.click(screen.getByRole('button', { name: 'Reload the list' }))

  expect(await screen.findByText('End of list · 1 case')).toBeVisible()
  expect(titles()).toEqual(['Threat a-2'])
})

test('says when and why the list is stale', async () => {
  const { freshness } = aThreatList([])
  const stale = { ...freshness, isStale: true, staleReason: 'The daily limit is used up.' }
  servePages({ first: aThreatList([a], { freshness: stale }) })
  renderPage('/threats')

  expect(await screen.findByText(/not current\. The daily limit is used up\./)).toBeVisible()
})

test('says above a list that has been stale for long of which day it is', async () => {
  const { freshness } = aThreatList([])
  const old = { ...freshness, fetchedAt: '2026-03-01T12:00:00.000Z', isStale: true }
  servePages({ first: aThreatList([a], { freshness: { ...old, staleReason: 'The API does not answer.' } }) })
  renderPage('/threats')

  const banner = await screen.findByText(/^This is what Lantern knew on/)
  expect(banner).toHaveTextContent('1 Mar 2026, 12:00 UTC')
  expect(banner).toHaveTextContent('The API does not answer.')
})

function listAt(change: number, threats: Threat[]): ThreatList {
  const list = aThreatList(threats, {})
  return { ...list, freshness: { ...list.freshness, change } }
}

function serveNew(newThreats: number, isWhole = true): URLSearchParams[] {
  const requests: URLSearchParams[] = []
  fakeBff.use(
    http.get('/bff/new-threats', ({ request }) => {
      requests.push(new URL(request.url).searchParams)
      return HttpResponse.json({ newThreats, isWhole })
    }),
  )
  return requests
}

/** As a live event of the store has it. */
async function lookForNew(queryClient: QueryClient) {
  for (const name of ['head', 'new']) await queryClient.refetchQueries({ queryKey: ['threats', name] })
}

test('announces new threats and moves nothing until a press', async () => {
  servePages({ first: listAt(5, [b]) })
  const { router, user } = renderPage('/threats?country=DE')
  await screen.findByText('1 case')

  const requests = servePages({ first: listAt(6, [a, b]) })
  const counted = serveNew(1)
  await lookForNew(router.options.context.queryClient)

  const button = await screen.findByRole('button', { name: '1 new claim' })
  expect(requests.at(0)?.get('x-lantern-background')).toBe('1')
  expect(counted.map((query) => [query.get('country'), query.get('after')])).toEqual([['DE', '5']])
  expect(titles()).toEqual(['Threat a-2'])
  await user.click(button)
  expect(titles()).toEqual(['Threat a-1', 'Threat a-2'])
  expect(screen.getByText('2 cases')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('link', { name: 'Threat a-1' })).toHaveFocus())
  expect(requests).toHaveLength(1)
})

test('older threats that were only read later are not announced', async () => {
  servePages({ first: listAt(5, [c]) })
  const { router } = renderPage('/threats')
  await screen.findByText('1 case')

  servePages({ first: listAt(7, [a, b, c]) })
  const counted = serveNew(0)
  await lookForNew(router.options.context.queryClient)
  expect(counted).toHaveLength(1)
  expect(await screen.findByText('3 cases')).toBeVisible()
  expect(screen.queryByRole('button', { name: /new claim/ })).not.toBeInTheDocument()
})

test('marks the count of new claims as a minimum if there may be more', async () => {
  servePages({ first: listAt(5, [c]) })
  const { router } = renderPage('/threats')
  await screen.findByText('1 case')

  serveNew(1_000, false)
  await lookForNew(router.options.context.queryClient)
  expect(await screen.findByRole('button', { name: '1,000+ new claims' })).toBeVisible()
})

test('Refresh requests newer data than the cache holds', async () => {
  servePages({ first: aThreatList([b]) })
  const { user } = renderPage('/threats')
  await screen.findByText('1 case')

  const requests = servePages({ first: aThreatList([a, b]) })
  await user.click(screen.getByRole('button', { name: 'Refresh' }))

  await screen.findByText('2 cases')
  expect(requests.at(0)?.get('x-lantern-refresh')).toBe('1')
})

test('a title of any kind is text in its row, and nothing else', async () => {
  const nasty = Object.values(NASTY_STRINGS).slice(0, 20)
  const threats = nasty.map((text, index): Threat => {
    const all = { title: text, excerpt: text, category: text, severity: text, actors: [text] }
    return aThreat(`a-${index}`, { ...all, organizations: [text], countries: [{ code: null, name: text }] })
  })
  servePages({ first: aThreatList(threats) })
  renderPage('/threats')

  const table = await screen.findByRole('table')
  await waitFor(() => expect(table.querySelectorAll('tbody tr').length).toBeGreaterThan(10))
  expect(
    table.querySelectorAll('script, style, form, h1, iframe, object, img:not([src^="/flags/"])'),
  ).toHaveLength(0)
  for (const link of within(table).getAllByRole('link')) {
    expect(link.getAttribute('href')).toMatch(/^\/(?:threats\/a-\d+|actors\/[^/?#]+)$/)
  }
})

test('a sort by name begins with A, and newest first needs no parameter', () => {
  expect(listOrderAfterPress({ sort: 'actor' }, 'actor')).toEqual({ sort: 'actor', order: 'desc' })
  expect(listOrderAfterPress({}, 'published')).toEqual({ sort: undefined, order: 'asc' })
  expect(listOrderAfterPress({ order: 'asc' }, 'published')).toEqual({ sort: undefined, order: undefined })
})

test('a list is newest first unless it is sorted, turned or grouped', () => {
  expect([{}, { sort: 'published', order: 'desc' } as const].map(isNewestFirst)).toEqual([true, true])
  const others = [{ sort: 'severity' }, { order: 'asc' }, { group: 'day' }] as const
  expect(others.map(isNewestFirst)).toEqual([false, false, false])
})
