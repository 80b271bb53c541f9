import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Period } from '#contract/bff/period.ts'
import { makeActor, makeActorAnswer, makeActorList } from '#test/fixtures/actor-fixtures.ts'
import { makeCountry, makeCountryAnswer, makeCountryList } from '#test/fixtures/country-fixtures.ts'
import { thirtyDaysUpTo } from '#test/fixtures/days.ts'
import { OVERVIEW } from '#test/fixtures/overview-fixtures.ts'
import { TEAM_FIGURES } from '#test/fixtures/team-fixtures.ts'
import { aTrendAnswer } from '#test/fixtures/trend-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const MARCH: Period = { name: '2024-03', unit: 'day', from: '2024-03-01', to: '2024-03-31', isRunning: false }
const QUARTER: Period = {
  name: '2024-Q1',
  unit: 'week',
  from: '2024-01-01',
  to: '2024-03-31',
  isRunning: false,
}
const PERIODS = [MARCH, QUARTER]

/** Serves every page for the requested period, and returns the requested periods. */
function serve(coverage: 'whole' | 'unknown' = 'whole'): string[] {
  const requested: string[] = []
  const periodOf = (request: Request) => {
    const name = new URL(request.url).searchParams.get('period') ?? ''
    requested.push(`${new URL(request.url).pathname} ${name}`)
    return PERIODS.find((one) => one.name === name) ?? thirtyDaysUpTo('2026-11-21')
  }
  const trend = aTrendAnswer({ series: ['Ransomware'] })
  const days = OVERVIEW.days.map((day) => ({ ...day, coverage }))
  fakeBff.use(
    http.get('/bff/overview', ({ request }) => {
      const count = coverage === 'whole' ? OVERVIEW.period.count : null
      const period = { ...OVERVIEW.period, ...periodOf(request), isWhole: true, count }
      return HttpResponse.json({ ...OVERVIEW, days, period })
    }),
    http.get('/bff/trends', ({ request }) =>
      HttpResponse.json({ ...trend, trend: { ...trend.trend, period: periodOf(request) } }),
    ),
    http.get('/bff/actors', ({ request }) =>
      HttpResponse.json(makeActorList([makeActor('LockBit')], { period: periodOf(request), days })),
    ),
    http.get('/bff/actors/:name', ({ request }) =>
      HttpResponse.json({ ...makeActorAnswer('LockBit'), period: periodOf(request), days }),
    ),
    http.get('/bff/countries', ({ request }) =>
      HttpResponse.json({
        ...makeCountryList([makeCountry('DE', 9)]),
        period: periodOf(request),
        days,
      }),
    ),
    http.get('/bff/countries/:code', ({ request }) =>
      HttpResponse.json(makeCountryAnswer('DE', { period: periodOf(request), days })),
    ),
    http.get('/bff/threats', () => problem('upstream_unavailable', 502)),
    http.get('/bff/metrics', () => problem('plan_not_allowed', 403)),
    http.get('/bff/team-figures', ({ request }) =>
      HttpResponse.json({ ...TEAM_FIGURES, period: periodOf(request) }),
    ),
  )
  return requested
}

const picker = () => screen.findByRole('combobox', { name: 'Period' })
const PAGES = ['/', '/metrics', '/actors', '/actors/LockBit', '/countries', '/countries/DE']

test.each(PAGES)('%s shows the last 30 days until the user chooses another period', async (path) => {
  const requested = serve()
  const { router, user } = renderPage(path)
  expect(await picker()).toHaveValue('30d')
  await waitFor(() => expect(new Set(requested.map((one) => one.split(' ')[1]))).toEqual(new Set(['30d'])))

  await user.selectOptions(await picker(), 'Last 12 months')
  await waitFor(() => expect(router.state.location.search).toEqual({ period: '12m' }))
  await waitFor(() => expect(requested.at(-1)).toMatch(/12m$/))

  await user.selectOptions(await picker(), 'Last 30 days')
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test.each(PAGES.flatMap((path) => ['2026-13', 'foo', '2199-01'].map((period) => [path, period] as const)))(
  '%s opens with the default where %s is no period that can be shown, and says so',
  async (path, period) => {
    const requested = serve()
    const { router } = renderPage(`${path}?period=${period}`)
    expect(await screen.findByText(/^The period in the address is unknown or still to come/)).toBeVisible()
    expect(await picker()).toHaveValue('30d')
    expect(router.state.location.search).toEqual({ period })
    expect(requested.filter((one) => !/ (?:30d)?$/.test(one))).toEqual([])
  },
)

test('names a month everywhere, counts it in the feed, and leads to the same month of an actor', async () => {
  serve()
  const { router, user } = renderPage('/?period=2024-03')
  const figure = await screen.findByRole('link', { name: /claims, March 2024$/ })
  expect(figure).toHaveAttribute('href', '/threats?from=2024-03-01&to=2024-03-31&rows=claims')
  expect(screen.getByRole('region', { name: 'New threats' })).toHaveTextContent(/March 20241 Mar to 31 Mar/)
  const top = screen.getByRole('list', { name: 'Top actors by claims, March 2024' })
  expect(within(top).getByRole('link', { name: 'Pale Harbour' })).toHaveAttribute(
    'href',
    '/threats?actor=Pale+Harbour&from=2024-03-01&to=2024-03-31&rows=claims',
  )
  expect(await picker()).toHaveDisplayValue('March 2024')

  await user.click(screen.getByRole('link', { name: 'All actors' }))
  await user.click(await screen.findByRole('link', { name: 'LockBit' }))
  await waitFor(() => expect(router.state.location.href).toBe('/actors/LockBit?period=2024-03'))
  expect(await screen.findByRole('link', { name: /claims in March 2024$/ })).toHaveAttribute(
    'href',
    '/threats?actor=LockBit&from=2024-03-01&to=2024-03-31&rows=claims',
  )
  const [back] = within(screen.getByRole('main')).getAllByRole('link', { name: 'Actors' })
  await user.click(back ?? document.body)
  await waitFor(() => expect(router.state.location.search).toEqual({ period: '2024-03' }))
})

test('goes a month or a quarter back and forth by its buttons', async () => {
  serve()
  const { router, user } = renderPage('/metrics?period=2024-Q1')
  await user.click(await screen.findByRole('button', { name: 'Period before: Q4 2023' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ period: '2023-Q4' }))
  await user.click(screen.getByRole('button', { name: 'Period after: Q1 2024' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ period: '2024-Q1' }))
  expect(await picker()).toHaveDisplayValue('Q1 2024')

  const [, month] = within(await picker()).getAllByRole('group')
  const [newest] = within(month ?? document.body).getAllByRole('option')
  await user.selectOptions(await picker(), newest?.getAttribute('value') ?? '')
  expect(await screen.findByRole('button', { name: /^Period after/ })).toBeDisabled()
})

test('does not mention today in a past period', async () => {
  serve()
  renderPage('/countries?period=2024-03')
  expect(await screen.findByRole('list', { name: 'Countries by claims in March 2024' })).toBeVisible()
  expect(document.body).not.toHaveTextContent('today so far')
  for (const link of screen.getAllByRole('link', { name: 'Germany' })) {
    expect(link).toHaveAttribute('href', '/countries/DE?period=2024-03')
  }
})

test('does not show unstored days of a month as zero', async () => {
  serve('unknown')
  const { unmount } = renderPage('/countries/DE?period=2024-03')
  expect(await screen.findByText('Claims in March 2024', { selector: 'dt' })).toBeVisible()
  expect(screen.queryByRole('link', { name: /claims in March 2024/ })).toBeNull()
  unmount()

  const days = OVERVIEW.days.map((day) => ({ ...day, coverage: 'unknown' as const }))
  fakeBff.use(
    http.get('/bff/countries', () => HttpResponse.json({ ...makeCountryList([]), period: MARCH, days })),
  )
  const countries = renderPage('/countries?period=2024-03')
  expect(await screen.findByText('Nothing of March 2024 is stored.')).toBeVisible()
  expect(document.body).not.toHaveTextContent(/\d countr/)
  countries.unmount()

  renderPage('/?period=2024-03')
  expect(await screen.findByText('Nothing of this time is stored.')).toBeVisible()
  // The key and what is stored stand at the foot: there is news to see.
  const [first] = screen.getAllByRole('heading', { level: 2 })
  expect(first).not.toHaveTextContent('Key and stored threats')
})

test.each(PAGES)(
  '%s offers to load a missing month of a chosen period, not of the default period',
  async (path) => {
    serve('unknown')
    const requests: string[] = []
    const month = { from: '2024-03-01T00:00:00.000Z', to: '2024-04-01T00:00:00.000Z' }
    fakeBff.use(
      http.get('/bff/history-loads', ({ request }) => {
        requests.push(new URL(request.url).search)
        const offer = { ...month, isBackTo: false, calls: 14, callsLeft: 86 }
        return HttpResponse.json({ loads: [], offer, refusal: null })
      }),
    )
    const { user } = renderPage(path)
    expect(await picker()).toHaveValue('30d')
    expect(requests).toEqual([])

    await user.selectOptions(await picker(), 'Last 12 months')
    const name = 'Load March 2024 (about 14 calls, 86 left today)'
    expect(await screen.findByRole('button', { name })).toBeEnabled()
    expect(requests.at(-1)).toMatch(/^\?period=12m&timeZone=/)
  },
)
