import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Overview } from '#contract/bff/overview.ts'
import type { SetState } from '#contract/bff/source.ts'
import { against, CRITICAL, OVERVIEW, period } from '#test/fixtures/overview-fixtures.ts'
import { aTrendAnswer } from '#test/fixtures/trend-fixtures.ts'
import { fakeBff, problem, SOURCE } from '#test/support/app/fake-bff.ts'
import { NASTY_STRINGS } from '#test/support/app/nasty-strings.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

function answer(overview: Partial<Overview> = {}) {
  fakeBff.use(
    http.get('/bff/overview', () => HttpResponse.json({ ...OVERVIEW, ...overview })),
    http.get('/bff/trends', () => HttpResponse.json(aTrendAnswer({ series: ['Ransomware'] }))),
  )
}

const hrefOf = (element: HTMLElement) => decodeURIComponent(element.getAttribute('href') ?? '')

test('counts what is new since the last visit and in three times, each against the time before', async () => {
  answer()
  renderPage('/')
  const news = await screen.findByRole('region', { name: 'New threats' })
  expect(news).toHaveTextContent(
    /last here21 Nov 2026, 06:10 UTC3 .*50 % fewer so far than in the same time before6 claims as long before/,
  )
  expect(news).toHaveTextContent(
    /Last 24 hours20 .*100 % more so far than in the same time before10 claims in the 24 hours before/,
  )
  expect(news).toHaveTextContent(
    /Last 7 dayssince 15 Nov, today so far20 .*no comparisonThe time before is not stored/,
  )
  expect(news).toHaveTextContent(
    /Last 30 dayssince 23 Oct, today so far20 .*Only a part of this time is stored/,
  )
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Overview')
  expect(document.title).toBe('Overview · Lantern')
})

test('says that today is left out, and hours are not known, where the vendor gives days without times', async () => {
  const days = { ...against(120, 120), isWithoutToday: true }
  answer({
    isDatedByDay: true,
    lastVisit: period('2026-11-21T00:00:00.000Z', { count: 3, compared: null }),
    day: period('2026-11-20T09:12:00.000Z', { compared: null }),
    week: period('2026-11-15T00:00:00.000Z', { count: 129, compared: days }),
    top: {
      ...OVERVIEW.top,
      actor: [{ value: 'Pale Harbour', count: 9, compared: { count: 8, previous: 4, isWithoutToday: true } }],
    },
  })
  renderPage('/')
  const news = await screen.findByRole('region', { name: 'New threats' })
  const notKnown = 'no comparisonNot compared: the vendor gives no times of day.'
  expect(news).toHaveTextContent(
    new RegExp(`Since the day of your last visit21 Nov 2026, 00:00 UTC3 .*${notKnown}`),
  )
  expect(news).toHaveTextContent(new RegExp(`Last 24 hoursdated today \\(UTC\\)20 .*${notKnown}`))
  expect(news).toHaveTextContent(
    /Last 7 dayssince 15 Nov, today so far129 .*samewithout today as many as in the same time before120 claims in the same part of the 7 days before, without today/,
  )
  expect(await screen.findByText('100 % more without today than in the same time before')).toBeVisible()
})

test('leads from each figure to the threats that it counts', async () => {
  answer()
  const { user } = renderPage('/')
  const link = (name: RegExp | string) => screen.findByRole('link', { name })
  expect(hrefOf(await link(/last 24 hours/))).toBe(
    '/threats?since=2026-11-20T09:12:00.000Z&until=2026-11-21T09:13:00.000Z&rows=claims',
  )
  expect(hrefOf(await link(/last 7 days/))).toBe('/threats?within=7d&rows=claims')
  expect(hrefOf(await link(/last 30 days/))).toBe('/threats?within=30d&rows=claims')
  expect(hrefOf(await link('Pale Harbour'))).toBe('/threats?actor=Pale+Harbour&within=30d&rows=claims')
  expect(hrefOf(await link('Germany'))).toContain('country=DE')
  expect(hrefOf(await link('Northwind Clinics extorted'))).toBe('/threats/a-1')
  expect(hrefOf(await link('All critical threats'))).toBe('/threats?severity=critical&triage=open')

  expect(hrefOf(await link('10 claims in the 24 hours before'))).toBe(
    '/threats?since=2026-09-01T09:12:00.000Z&until=2026-09-03T09:12:00.000Z&rows=claims',
  )
  const days = 'since=2026-10-23T00:00:00.000Z&until=2026-11-22T00:00:00.000Z&rows=claims'
  expect(hrefOf(await link('120 claims since 23 Oct, today so far'))).toBe(`/threats?${days}`)
  expect(hrefOf(await link('Ransomware 30'))).toBe(`/threats?category=Ransomware&${days}`)
  expect(screen.queryByRole('link', { name: /All others/ })).toBeNull()

  await user.click(await screen.findByRole('button', { name: 'Table' }))
  const day = hrefOf(await link('Fri 20 Nov 2026'))
  expect(day).toContain('since=2026-11-20T00:00:00.000Z')
  expect(day).toContain('until=2026-11-21T00:00:00.000Z&rows=claims')
  const cells = within(screen.getByRole('row', { name: /^Fri 20 Nov 2026/ })).getAllByRole('cell')
  const time = 'since=2026-11-20T00:00:00.000Z&until=2026-11-21T00:00:00.000Z&rows=claims'
  expect(cells.map((cell) => within(cell).queryByRole('link')).map((cell) => cell && hrefOf(cell))).toEqual([
    `/threats?${time}`,
    `/threats?category=Ransomware&${time}`,
    null,
    '/threats?since=2026-10-21T00:00:00.000Z&until=2026-10-22T00:00:00.000Z&rows=claims',
  ])
})

test('defangs a victim that is a domain, but not an actor whose name looks like one', async () => {
  answer({ newestCritical: [{ ...CRITICAL, organizations: ['acme.example'], actors: ['Node.js'] }] })
  renderPage('/')
  const list = await screen.findByRole('region', { name: 'Newest critical threats' })
  expect(list).toHaveTextContent('acme[.]example · Node.js')
})

test('marks a critical threat with what the team has done with it', async () => {
  answer()
  const mark = { at: '2026-11-21T08:00:00.000Z', who: 'ada@lantern.example' }
  const state = { id: 'a-1', read: mark, starred: mark, closed: null, owner: null, notes: 0 }
  fakeBff.use(http.post('/bff/triage/states', () => HttpResponse.json({ states: [state] })))
  renderPage('/')
  const link = await screen.findByRole('link', { name: 'Northwind Clinics extorted' })
  await within(link.closest('li') ?? link).findByText('Read. Starred.')
})

test('ranks names with what became of them', async () => {
  answer()
  renderPage('/')
  const rows = async (name: string) =>
    within(await screen.findByRole('list', { name }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  expect(await rows('Top actors by claims, the last 30 days')).toEqual([
    'Pale Harbour9newnone in the same time before',
  ])
  expect(await rows('Top countries by claims, the last 30 days')).toEqual([
    ' Germany7▼50 %50 % fewer so far than in the same time before',
  ])
  expect(screen.getByRole('region', { name: 'Top industries' })).toHaveTextContent(/No threat .* names one/)
})

test('ranks severities from the worst', async () => {
  const severity = ['low', 'Urgent', 'critical', 'high'].map((value) => ({
    value,
    count: 1,
    compared: { count: 1, previous: 1 },
  }))
  answer({ top: { ...OVERVIEW.top, severity } })
  renderPage('/')
  const rows = within(await screen.findByRole('list', { name: 'Severities by claims, the last 30 days' }))
  expect(rows.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Critical',
    'High',
    'Low',
    'Urgent',
  ])
})

test('shows unread periods as unknown, neither good nor bad', async () => {
  const nothing = period('2026-10-22T09:12:00.000Z', { count: null, compared: null, isWhole: false })
  const top = { actor: [], country: [], industry: [], severity: [] }
  answer({
    day: nothing,
    week: nothing,
    period: { ...OVERVIEW.period, ...nothing },
    top,
    newestCritical: [],
  })
  renderPage('/')
  expect(await screen.findByText('Nothing read yet')).toBeVisible()
  expect(screen.getAllByText('Nothing has been read yet.')).toHaveLength(4)
  expect(screen.queryByText('No critical threats')).toBeNull()
  const [first] = screen.getAllByRole('heading', { level: 2 })
  expect(first).toHaveTextContent('Key and stored threats')
})

test('the first visit has no figure for the visit before', async () => {
  answer({ lastVisit: null })
  renderPage('/')
  expect((await screen.findByRole('region', { name: 'New threats' })).children).toHaveLength(3)
})

test('says so when no threat carries a severity', async () => {
  answer({ newestCritical: [], top: { ...OVERVIEW.top, severity: [] } })
  renderPage('/')
  expect(await screen.findByText(/only the earlier API gives one/)).toBeVisible()
})

test('blames no API for a missing severity where there is no threat', async () => {
  answer({
    newestCritical: [],
    top: { ...OVERVIEW.top, severity: [] },
    period: { ...OVERVIEW.period, count: 0 },
  })
  renderPage('/')
  expect(await screen.findByText('Critical threats appear here as Lantern reads them.')).toBeVisible()
  expect(screen.queryByText(/only the earlier API gives one/)).toBeNull()
})

test('shows a time that is not stored as such', async () => {
  answer({ day: period('2026-11-20T09:12:00.000Z', { count: null, compared: null, isWhole: false }) })
  renderPage('/')
  const news = await screen.findByRole('region', { name: 'New threats' })
  expect(news).toHaveTextContent('Last 24 hours—Nothing of this time is stored.')
})

test('shows the state of the key and of the stored threats', async () => {
  answer()
  renderPage('/')
  const state = await screen.findByRole('region', { name: 'Key and stored threats' })
  expect(state).toHaveTextContent('KeyAccepted by the API')
  expect(state).toHaveTextContent('Nothing is stored yet')
})

test('shows when and why a call failed, and when it is retried', async () => {
  answer()
  const tried = (retryAt: string | null): SetState => ({
    ...SOURCE.sets.v1,
    status: 'unknown',
    failure: { at: '2026-11-21T09:12:03.456Z', why: 'unavailable', retryAt },
  })
  const sets = { v1: tried('2099-01-01T00:00:30Z'), earlier: tried(null) }
  fakeBff.use(http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, key: 'unknown', sets })))
  renderPage('/')
  const state = await screen.findByRole('region', { name: 'Key and stored threats' })
  const why = 'Last tried 21 Nov 2026, 09:12 UTC: it could not be reached, or it failed.'
  expect(state).toHaveTextContent(`API v1Not known yet${why} Tried again after 00:00 UTC.`)
  expect(state).toHaveTextContent(`Earlier APINot known yet${why} The next call tries it again.`)
  expect(state).toHaveTextContent('KeyNot known yet')
  expect(state).not.toHaveTextContent('Not tried yet')
})

test('shows the chart though the figures fail, and tries again', async () => {
  answer()
  fakeBff.use(http.get('/bff/overview', () => problem('internal', 500)))
  const { user } = renderPage('/')
  expect(await screen.findByText(/claims since 23 Oct/)).toBeVisible()
  const again = await screen.findByRole('button', { name: 'Try again' })
  answer()
  await user.click(again)
  expect(await screen.findByRole('region', { name: 'New threats' })).toBeVisible()
})

test('shows names as inert text', async () => {
  const values = Object.values(NASTY_STRINGS).filter((text) => text !== '' && text.length < 2000)
  const ranked = values.map((value, at) => ({
    value: `${value}${at}`,
    count: 1,
    compared: { count: 1, previous: 1 },
  }))
  const newestCritical = values.map((text, at) => ({
    ...CRITICAL,
    id: `a-${at}`,
    title: text,
    category: text,
    actors: [`${text} `],
    organizations: [`${text}  `],
    severity: text,
  }))
  answer({ top: { actor: ranked, country: ranked, industry: ranked, severity: ranked }, newestCritical })
  const { container } = renderPage('/')
  await screen.findByRole('list', { name: 'Top actors by claims, the last 30 days' })
  expect(container.querySelectorAll('script, iframe, form, a:not([href^="/"], [href="#main"])')).toHaveLength(
    0,
  )
})
