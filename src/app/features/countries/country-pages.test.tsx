import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import {
  makeCountry,
  makeCountryAnswer,
  makeCountryList,
  STATISTICS,
  WEEK_HELD,
} from '#test/fixtures/country-fixtures.ts'
import { makeList } from '#test/fixtures/list-fixtures.ts'
import { catchSavedFiles } from '#test/support/app/catch-saved-files.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

function tellCountry(answer: (request: Request) => Response) {
  fakeBff.use(
    http.get('/bff/countries/:code', ({ request }) => answer(request)),
    http.get('/bff/trends', () => problem('window_empty', 503)),
    http.get('/bff/threats', () => problem('upstream_unavailable', 502)),
  )
}

const LIST = makeCountryList([
  makeCountry('DE', 12),
  makeCountry('FR', 5, { compared: { count: 5, previous: 1 } }),
  makeCountry('MT', 1, { actors: 9 }),
])

const names = () =>
  within(screen.getByRole('table', { name: /Countries/ }))
    .getAllByRole('rowheader')
    .map((cell) => cell.textContent)

test('ranks countries, small ones included, and lists each with its figures', async () => {
  fakeBff.use(http.get('/bff/countries', () => HttpResponse.json(LIST)))
  renderPage('/countries')
  const ranked = await screen.findByRole('list', { name: 'Countries by claims in 30 days' })
  expect(
    within(ranked)
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['Germany', 'France', 'Malta'])
  expect(screen.getByRole('row', { name: /Malta/ })).toHaveTextContent(/1.*9.*4/)
  expect(await screen.findByRole('list', { name: 'Claims in 30 days' })).toHaveTextContent('no claims')
  expect(document.title).toBe('Countries · Lantern')
})

test('counts the threats of a country that concern the reader, in the list and on the page', async () => {
  localStorage.setItem('lantern.preferences', JSON.stringify({ countries: ['DE'], industries: ['Energy'] }))
  const queries: URLSearchParams[] = []
  fakeBff.use(
    http.get('/bff/countries', ({ request }) => {
      queries.push(new URL(request.url).searchParams)
      const countries = [makeCountry('DE', 125, { concerns: 12 }), makeCountry('FR', 5)]
      return HttpResponse.json(makeCountryList(countries))
    }),
  )
  const href = '/threats?country=DE&industry=Energy&within=30d&rows=claims'
  const list = renderPage('/countries')
  const link = await screen.findByRole('link', { name: /^12 of 125 claims concern you/ })
  expect(link).toHaveAttribute('href', href)
  expect(screen.getAllByRole('link', { name: /concern you/ })).toHaveLength(1)
  expect(queries.map((query) => [query.get('country'), query.get('industry')])).toEqual([['DE', 'Energy']])
  list.unmount()
  const answer = makeCountryAnswer('DE')
  const window = answer.window && { ...answer.window, threats: 125, concerns: 1 }
  tellCountry(() => HttpResponse.json({ ...answer, window }))
  renderPage('/countries/DE')
  const counted = await screen.findByRole('link', { name: /^1 of 125 claims concerns you/ })
  expect(counted).toHaveAttribute('href', href)
})

test('calls no count one of 30 days while fewer are stored', async () => {
  fakeBff.use(http.get('/bff/countries', () => HttpResponse.json({ ...LIST, days: WEEK_HELD })))
  const list = renderPage('/countries')
  expect(await screen.findByRole('list', { name: 'Countries by claims in the 7 days stored' })).toBeVisible()
  expect(screen.getByText(/^3 countries/)).toHaveTextContent('3 countries in the 7 days stored')
  list.unmount()
  tellCountry(() => HttpResponse.json(makeCountryAnswer('DE', { days: WEEK_HELD })))
  renderPage('/countries/DE')
  expect(await screen.findByRole('link', { name: '12 claims in the 7 days stored' })).toBeVisible()
})

test('sorts by a column, and by a second press the other way round, in the address', async () => {
  fakeBff.use(http.get('/bff/countries', () => HttpResponse.json(LIST)))
  const { user, router } = renderPage('/countries')
  const heading = () => within(screen.getByRole('columnheader', { name: /^Actors/ })).getByRole('link')
  await screen.findByRole('columnheader', { name: /^Actors/ })
  await user.click(heading())
  await waitFor(() => expect(names()).toEqual(['Malta', 'France', 'Germany']))
  await user.click(heading())
  await waitFor(() => expect(names()).toEqual(['France', 'Germany', 'Malta']))
  expect(router.state.location.search).toEqual({ sort: 'actors', order: 'reverse' })
  expect(screen.getByRole('columnheader', { name: /^Actors/ })).toHaveAttribute('aria-sort', 'ascending')
})

test('shows no error before the first read', async () => {
  fakeBff.use(http.get('/bff/countries', () => problem('window_empty', 503)))
  renderPage('/countries')
  expect(await screen.findByText('No countries yet')).toBeVisible()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('works without the vendor’s statistics, and says why they are missing', async () => {
  tellCountry(() => HttpResponse.json(makeCountryAnswer('DE')))
  renderPage('/countries/DE')
  expect(await screen.findByRole('heading', { level: 1, name: 'Germany' })).toBeVisible()
  expect(await screen.findByText('Claims in 30 days')).toBeVisible()
  expect(screen.getByRole('link', { name: '12 claims in 30 days' })).toHaveAttribute(
    'href',
    '/threats?country=DE&within=30d&rows=claims',
  )
  expect(screen.getByRole('link', { name: 'LockBit' })).toHaveAttribute('href', '/actors/LockBit')
  expect(screen.getByRole('link', { name: 'Energy' })).toHaveAttribute(
    'href',
    '/threats?country=DE&within=30d&rows=claims&industry=Energy',
  )
  expect(screen.getByText(/The calls of this day are used up/)).toBeVisible()
})

test('shows the vendor’s statistics as inert text, and spends a call only on request', async () => {
  const refreshes: (string | null)[] = []
  tellCountry(({ headers }) => {
    refreshes.push(headers.get('x-lantern-refresh'))
    return HttpResponse.json(makeCountryAnswer('DE', STATISTICS))
  })
  const { user } = renderPage('/countries/DE')
  const part = await screen.findByRole('region', { name: /own statistics/ })
  await waitFor(() => expect(part).toHaveTextContent(/640.*103.*77/))
  expect(part).toHaveTextContent('see hxxp[:]//evil[.]example')
  expect(within(part).getByRole('link', { name: 'Play' })).toHaveAttribute('href', '/actors/Play')
  expect(within(part).getByRole('row', { name: /2026-04-02/, hidden: true })).toHaveTextContent(
    'Not reported',
  )
  expect(refreshes).toEqual([null])
  await user.click(within(part).getByRole('button', { name: 'Refresh' }))
  await waitFor(() => expect(refreshes).toEqual([null, '1']))
})

test.for([
  ['not_found', 'No statistics'],
  ['plan_not_allowed', 'Your plan has no country statistics'],
  ['not_offered', 'This vendor offers no country statistics'],
  ['rate_limited', 'Not available now'],
] as const)('says of %s what it is, and where else to look', async ([code, title]) => {
  const absent = { code, reason: 'This is why.', isComing: false }
  tellCountry(() => HttpResponse.json(makeCountryAnswer('DE', { absent })))
  renderPage('/countries/DE')
  const part = await screen.findByRole('region', { name: /own statistics/ })
  expect(part).toHaveTextContent(`${title}This is why.`)
  expect(within(part).getByRole('link', { name: 'All countries' })).toHaveAttribute('href', '/countries')
  expect(within(part).getByRole('link', { name: 'Its threats in the feed' })).toHaveAttribute(
    'href',
    '/threats?country=DE',
  )
})

test('requests the country again by itself while the vendor’s statistics are loading', async () => {
  let isThere = false
  tellCountry(() => {
    const coming = { code: 'upstream_timeout' as const, reason: 'It takes long.', isComing: true }
    const answer = makeCountryAnswer('DE', isThere ? STATISTICS : { absent: coming })
    isThere = true
    return HttpResponse.json(answer)
  })
  renderPage('/countries/DE')
  expect(await screen.findByText('Loading from the vendor…')).toBeVisible()
  expect(await screen.findByText('640')).toBeVisible()
})

test('leads every spelling of a country to its one address', async () => {
  tellCountry(() => HttpResponse.json(makeCountryAnswer('DE')))
  const { router } = renderPage('/countries/germany')
  expect(await screen.findByRole('heading', { level: 1, name: 'Germany' })).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/countries/DE'))
})

test('calls a country by its name that no threat names', async () => {
  tellCountry(() => problem('not_found', 404))
  renderPage('/countries/DE')
  expect(await screen.findByRole('heading', { level: 1, name: 'Germany' })).toBeVisible()
  expect(await screen.findByText(/has a threat that names this country yet/)).toBeVisible()
  expect(screen.queryByText(/two-letter code/)).toBeNull()
})

test('offers other pages for a country without statistics', async () => {
  tellCountry(() => problem('not_found', 404))
  renderPage('/countries/Atlantis')
  expect(await screen.findByText('No statistics')).toBeVisible()
  expect(screen.getByRole('link', { name: 'All countries' })).toHaveAttribute('href', '/countries')
  expect(screen.getByRole('link', { name: 'Search the threats' })).toHaveAttribute(
    'href',
    '/threats?q=Atlantis',
  )
})

test('saves the table as it is sorted, named partial where days are missing', async () => {
  const saved = catchSavedFiles()
  const [unread, ...read] = LIST.days
  const days = unread ? [{ ...unread, coverage: 'unknown' as const }, ...read] : []
  const countries = LIST.countries.map((country) => ({ ...country, concerns: 0 }))
  const values = [{ value: 'FR', count: 3 }]
  fakeBff.use(
    http.get('/bff/countries', () => HttpResponse.json({ ...LIST, countries, days })),
    http.get('/bff/facets/country', () => HttpResponse.json({ values, more: 0, isExact: true })),
    http.get('/bff/lists', () => HttpResponse.json({ lists: [makeList()] })),
  )
  const { user } = renderPage('/countries?sort=actors')
  await screen.findByRole('rowheader', { name: 'Malta' })
  await user.click(screen.getByRole('button', { name: 'Export' }))
  const dialog = await screen.findByRole('dialog', { name: 'Export countries' })
  await user.click(within(dialog).getByRole('button', { name: 'Export' }))

  expect(within(dialog).getByRole('status')).toHaveTextContent(
    'The file is partial. Counts are of 29 of 30 days: the others are not stored.',
  )
  expect(saved.at(0)?.name).toMatch(/^lantern-countries-.*-partial\.csv$/)
  expect((await saved.at(0)?.file.text())?.split('\r\n').slice(0, 3)).toEqual([
    'Country,Country code,Claims in 30 days (today so far),Claims in the compared part of the 30 days,Claims in the same part of the 30 days before,Actors,Victims,Latest (UTC),Claims that concern you in 30 days (today so far): My interests,Claims that concern you in 30 days (today so far): Lists',
    'Malta,MT,1,1,2,9,4,2026-04-09T01:00:00.000Z,0,0',
    'France,FR,5,5,1,3,4,2026-04-09T01:00:00.000Z,0,3',
  ])
})

test('saves a table without matches of lists as partial where they could not be counted', async () => {
  const saved = catchSavedFiles()
  fakeBff.use(
    http.get('/bff/countries', () => HttpResponse.json(LIST)),
    http.get('/bff/facets/country', () => problem('internal', 500)),
  )
  const { user } = renderPage('/countries')
  await screen.findByRole('rowheader', { name: 'Malta' })
  await user.click(screen.getByRole('button', { name: 'Export' }))
  const dialog = await screen.findByRole('dialog', { name: 'Export countries' })
  await user.click(within(dialog).getByRole('button', { name: 'Export' }))
  expect(within(dialog).getByRole('status')).toHaveTextContent('Matches of lists could not be counted.')
  expect(await saved.at(0)?.file.text()).toMatch(/2026-04-09T01:00:00.000Z,,\r\n/)
})

test('exports the threats of a country', async () => {
  tellCountry(() => HttpResponse.json(makeCountryAnswer('DE')))
  const requests: string[] = []
  fakeBff.use(
    http.get('/bff/exports/threats', ({ request }) => {
      requests.push(new URL(request.url).search)
      return problem('window_empty', 503)
    }),
  )
  const { user } = renderPage('/countries/DE')
  await user.click(await screen.findByRole('button', { name: 'Export' }))
  const dialog = await screen.findByRole('dialog', { name: 'Export claims' })
  await user.click(within(dialog).getByRole('button', { name: 'Export' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('window_empty')
  expect(requests).toEqual(['?country=DE&timeZone=UTC'])
})
