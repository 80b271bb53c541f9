import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { ListKind } from '#contract/bff/list-match.ts'
import { makeCountry, makeCountryAnswer, makeCountryList } from '#test/fixtures/country-fixtures.ts'
import { makeList } from '#test/fixtures/list-fixtures.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

/** Serves countries, of which lists of some kinds match threats; the last list matches none. */
function serveCountries(values: { value: string; count: number }[], kinds: ListKind[] = ['supplier']) {
  const lists = [
    ...kinds.map((kind) => makeList({ kind, matched: { certain: 1, toConfirm: 0 } })),
    makeList({ kind: 'peer', matched: { certain: 0, toConfirm: 0 } }),
  ]
  const queries: string[] = []
  fakeBff.use(
    http.get('/bff/countries', () =>
      HttpResponse.json(makeCountryList([makeCountry('DE', 12), makeCountry('FR', 5)])),
    ),
    http.get('/bff/countries/:code', () => HttpResponse.json(makeCountryAnswer('DE'))),
    http.get('/bff/trends', () => problem('window_empty', 503)),
    http.get('/bff/threats', () => problem('upstream_unavailable', 502)),
    http.get('/bff/facets/country', ({ request }) => {
      queries.push(new URL(request.url).search)
      return HttpResponse.json({ values, more: 0, isExact: true })
    }),
    http.get('/bff/lists', () => HttpResponse.json({ lists })),
  )
  return queries
}

test.each<[string, number, ListKind[], string]>([
  ['one of suppliers', 1, ['supplier'], '1 listed, claim concerns your suppliers: Germany'],
  ['some of customers', 3, ['customer', 'customer'], '3 listed, claims concern your customers: Germany'],
  ['of several kinds', 1_234, ['own', 'supplier'], '1,234 listed, claims concern your lists: Germany'],
])('a row says how many threats concern the reader, %s, and leads to them', async (_, count, kinds, name) => {
  const queries = serveCountries([{ value: 'DE', count }], kinds)
  renderPage('/countries')
  const link = await screen.findByRole('link', { name })
  expect(link).toHaveAttribute(
    'href',
    `/threats?${new URLSearchParams({ country: 'DE', within: '30d', q: 'list:*', rows: 'claims' })}`,
  )
  expect(screen.queryByRole('link', { name: /: France$/ })).toBeNull()
  expect(queries).toHaveLength(1)
  expect(Object.fromEntries(new URLSearchParams(queries[0]))).toMatchObject({ q: 'list:*', within: '30d' })
})

test('the page of a country says the same', async () => {
  serveCountries([{ value: 'DE', count: 3 }])
  renderPage('/countries/DE')
  expect(await screen.findByRole('link', { name: '3 claims concern your suppliers: Germany' })).toBeVisible()
})
