import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Trend } from '#contract/bff/trend.ts'
import { makeActor, makeActorAnswer, makeActorList } from '#test/fixtures/actor-fixtures.ts'
import { makeCountry, makeCountryAnswer, makeCountryList } from '#test/fixtures/country-fixtures.ts'
import { against, OVERVIEW } from '#test/fixtures/overview-fixtures.ts'
import { aTrendAnswer } from '#test/fixtures/trend-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const compared = { ...against(9, 3), cases: { count: 5, previous: 2 } }
const ACTOR = { mentions: 9, cases: 5, compared, week: { count: 3, cases: 2, compared } }
const COUNTRY = { cases: 5, compared }
const COUNTED = [{ value: 'Energy', count: 9, cases: 5 }]

function withCases({ days, series, ...trend }: Trend): Trend {
  return {
    ...trend,
    days: days.map((day) => ({ ...day, cases: day.count && 3 })),
    series: series.map(({ value, counts }) => ({ value, counts, caseCounts: counts.map(() => 1) })),
    cases: 90,
  }
}

/** Serves each page in claims, and in cases where these are requested. */
function serve() {
  const areCases = (request: Request) => new URL(request.url).searchParams.get('rows') === 'cases'
  const { trend, freshness } = aTrendAnswer({ series: ['Ransomware'] })
  const overview = {
    ...OVERVIEW,
    period: { ...OVERVIEW.period, cases: 17 },
    top: { ...OVERVIEW.top, actor: [{ value: 'Pale Harbour', count: 9, cases: 5, compared }] },
  }
  const actor = makeActorAnswer('LockBit')
  const country = makeCountryAnswer('DE')
  const window = country.window && { ...country.window, ...COUNTRY, threats: 9, topIndustries: COUNTED }
  fakeBff.use(
    http.get('/bff/overview', ({ request }) => HttpResponse.json(areCases(request) ? overview : OVERVIEW)),
    http.get('/bff/trends', ({ request }) =>
      HttpResponse.json({ trend: areCases(request) ? withCases(trend) : trend, freshness }),
    ),
    http.get('/bff/actors', ({ request }) =>
      HttpResponse.json(makeActorList([makeActor('LockBit', areCases(request) ? ACTOR : {})])),
    ),
    http.get('/bff/actors/:name', ({ request }) =>
      HttpResponse.json(
        areCases(request) ? { ...actor, actor: { ...actor.actor, ...ACTOR, industries: COUNTED } } : actor,
      ),
    ),
    http.get('/bff/countries', ({ request }) =>
      HttpResponse.json(makeCountryList([makeCountry('DE', 9, areCases(request) ? COUNTRY : {})])),
    ),
    http.get('/bff/countries/:code', ({ request }) =>
      HttpResponse.json(areCases(request) ? { ...country, window } : country),
    ),
    http.get('/bff/threats', () => problem('upstream_unavailable', 502)),
    http.get('/bff/metrics', () => problem('plan_not_allowed', 403)),
  )
}

const count = async () => within(await screen.findByRole('group', { name: 'Count' }))
const PAGES = ['/', '/metrics', '/actors', '/actors/LockBit', '/countries', '/countries/DE']

test.each(PAGES)('%s counts cases, and claims where these are chosen', async (path) => {
  serve()
  const { router, user } = renderPage(path)
  expect((await count()).getByRole('button', { name: 'Cases' })).toHaveAttribute('aria-pressed', 'true')
  await user.click((await count()).getByRole('button', { name: 'Claims' }))
  await waitFor(() => expect(router.state.location.href).toBe(`${path}?rows=claims`))
  await user.click((await count()).getByRole('button', { name: 'Cases' }))
  await waitFor(() => expect(router.state.location.href).toBe(path))
})

test('the overview shows cases with their claims, and leads to their feed', async () => {
  serve()
  renderPage('/')
  const figure = await screen.findByRole('link', { name: '17 cases, last 30 days' })
  expect(figure).toHaveAttribute('href', '/threats?within=30d')
  const top = await screen.findByRole('list', { name: 'Top actors by cases, the last 30 days' })
  expect(within(top).getByRole('listitem')).toHaveTextContent(/Pale Harbour5.*150 %/)
  expect(within(top).getByRole('link')).toHaveAttribute('href', '/threats?actor=Pale+Harbour&within=30d')
  const trend = screen.getByRole('region', { name: 'Threats by category' })
  expect(await within(trend).findByRole('link', { name: /^90 cases since/ })).toBeVisible()
  expect(trend).toHaveTextContent('120 claims')
})

test('links the claims of a day, but not its cases, to the feed', async () => {
  serve()
  const { user } = renderPage('/metrics')
  const [table] = await screen.findAllByRole('button', { name: 'Table' })
  if (table) await user.click(table)
  const row = await screen.findByRole('row', { name: /^Fri 20 Nov 2026/ })
  const links = within(row)
    .getAllByRole('cell')
    .map((cell) => within(cell).queryByRole('link'))
  const hrefOf = (link: HTMLElement) => decodeURIComponent(link.getAttribute('href') ?? '')
  expect(links.map((link) => link && [link.textContent, hrefOf(link)])).toEqual([
    null,
    null,
    null,
    ['4', '/threats?since=2026-11-20T00:00:00.000Z&until=2026-11-21T00:00:00.000Z&rows=claims'],
    null,
  ])
})

test('the pages of an actor and a country show cases with their claims', async () => {
  serve()
  const { unmount } = renderPage('/actors/LockBit')
  expect(await screen.findByRole('link', { name: '5 cases in 30 days' })).toHaveAttribute(
    'href',
    '/threats?actor=LockBit&within=30d',
  )
  expect(
    await screen.findByRole('list', { name: 'Targeted industries, cases in 30 days' }),
  ).toHaveTextContent('Energy5')
  expect(screen.getByText(/9 claims/)).toBeVisible()
  unmount()
  renderPage('/countries/DE')
  expect(await screen.findByRole('link', { name: '5 cases in 30 days' })).toBeVisible()
  expect(screen.getByText(/9 claims/)).toBeVisible()
})

test('links between pages keep the choice of cases or claims', async () => {
  serve()
  const { router, user } = renderPage('/?rows=claims')
  await user.click(await screen.findByRole('link', { name: 'All actors' }))
  await waitFor(() => expect(router.state.location.href).toBe('/actors?rows=claims'))
  await user.click(await screen.findByRole('link', { name: 'LockBit' }))
  await waitFor(() => expect(router.state.location.href).toBe('/actors/LockBit?rows=claims'))
  expect(await screen.findByRole('link', { name: /^12 claims in 30 days$/ })).toHaveAttribute(
    'href',
    '/threats?actor=LockBit&within=30d&rows=claims',
  )
})
