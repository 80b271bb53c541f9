import { screen, waitFor } from '@testing-library/react'
import { delay, HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Coverage, Gap } from '#contract/bff/coverage.ts'
import type { Source } from '#contract/bff/source.ts'
import type { FacetName, ThreatList } from '#contract/bff/threat-list.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { chooseValue, offeredValues } from '#test/support/app/choose-value.ts'
import { fakeBff, SOURCE } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { WINDOW } from '#test/support/app/serve-searches.ts'

/** Answers every list request alike, and records the requests. */
function serve(list: ThreatList, source: Partial<Source>): URLSearchParams[] {
  const requests: URLSearchParams[] = []
  fakeBff.use(
    http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, ...source })),
    http.get<{ name: FacetName }>('/bff/facets/:name', ({ params }) =>
      HttpResponse.json({ values: list.facets[params.name], more: 0, isExact: true }),
    ),
    http.get('/bff/threats', ({ request }) => {
      requests.push(new URL(request.url).searchParams)
      return HttpResponse.json(list)
    }),
  )
  return requests
}

/** A list as the window answers it. */
function aStoredList(members: Partial<ThreatList> = {}): ThreatList {
  const { freshness } = aThreatList([])
  const facets = {
    category: [{ value: 'DDoS', count: 12 }],
    country: [
      { value: 'FR', count: 1_234 },
      { value: 'DE', count: 7 },
    ],
    actor: [
      { value: 'Pale Harbour', count: 3 },
      { value: 'invoice\u202egpj', count: 2 },
    ],
    industry: [{ value: 'Healthcare', count: 3 }],
    severity: [{ value: 'high', count: 5 }],
  }
  return aThreatList([aThreat('a-1')], {
    facets,
    freshness: { ...freshness, coverage: { status: 'complete', from: WINDOW.from, to: WINDOW.to, gaps: [] } },
    ...members,
  })
}

const serveStored = (members?: Partial<ThreatList>) => serve(aStoredList(members), { window: WINDOW })

test('keys that are pressed before the values are counted choose in the order of the counts', async () => {
  serveStored()
  const counting = Promise.withResolvers<void>()
  fakeBff.use(
    http.get('/bff/facets/country', async () => {
      await counting.promise
      const values = ['US', 'GB', 'AE'].map((value, at) => ({ value, count: 9 - at }))
      return HttpResponse.json({ values, more: 0, isExact: true })
    }),
  )
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')
  await user.type(screen.getByLabelText('Country'), 'united')
  expect(await screen.findByRole('option', { name: /Emirates/ })).toBeVisible()
  await user.keyboard('{Enter}{ArrowDown}{Enter}')
  counting.resolve()
  await waitFor(() => expect(router.state.location.href).toBe('/threats?country=US&country=GB'))
})

test('several values are chosen in one opening, by keys, with exact counts, and Back undoes them at once', async () => {
  const requests = serveStored()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')
  const country = screen.getByLabelText('Country')
  await user.click(country)
  await waitFor(() => expect(offeredValues().slice(0, 2)).toEqual(['France 1,234', 'Germany 7']))
  expect(offeredValues()).toContain('Japan 0')
  expect(screen.getByRole('listbox')).toHaveAttribute('aria-multiselectable', 'true')

  await user.keyboard('{Enter}{ArrowDown}{Enter}')
  await waitFor(() => expect(router.state.location.href).toBe('/threats?country=FR&country=DE'))
  expect(screen.getByRole('option', { name: /^Germany/ })).toHaveAttribute('aria-selected', 'true')
  expect(country).toHaveAttribute(
    'aria-activedescendant',
    screen.getByRole('option', { name: /^Germany/ }).id,
  )
  await waitFor(() => expect(requests.at(-1)?.getAll('country')).toEqual(['FR', 'DE']))

  await user.keyboard('{Escape}')
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument()
  expect(country).toHaveValue('2 chosen')
  router.history.back()
  await waitFor(() => expect(country).toHaveValue(''))
})

test('what is typed narrows the values, whatever their case', async () => {
  serveStored()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')
  await user.type(screen.getByLabelText('Country'), 'GERM')

  await waitFor(() => expect(offeredValues()).toEqual(['Germany 7']))
  expect(screen.getByText('1 value.')).toBeVisible()
  await user.keyboard('{Enter}')

  await waitFor(() => expect(router.state.location.href).toBe('/threats?country=DE'))
})

test('choosing a value again drops it', async () => {
  serveStored()
  const { router, user } = renderPage('/threats?country=FR&country=DE')
  await screen.findByText('1 case')

  await chooseValue(user, 'Country', 'Germany')

  await waitFor(() => expect(router.state.location.href).toBe('/threats?country=FR'))
})

test('Enter that comes before the values chooses the first that fits', async () => {
  serveStored()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(screen.getByLabelText('Actor'), 'pale{Enter}')

  await waitFor(() => expect(router.state.location.search).toEqual({ actor: 'Pale Harbour' }))
})

test('a value that no threat has is marked before it filters', async () => {
  serveStored()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(screen.getByLabelText('Actor'), 'Red Moth{Enter}')
  const unheld = await screen.findByRole('option', { name: /^Filter by “Red Moth”: no threat stored here/ })
  expect(router.state.location.href).toBe('/threats')
  await user.click(unheld)

  await waitFor(() => expect(router.state.location.search).toEqual({ actor: 'Red Moth' }))
})

test('text that acts unseen is shown as such among the values', async () => {
  serveStored()
  const { user } = renderPage('/threats')
  await screen.findByText('1 case')
  await user.click(screen.getByLabelText('Actor'))

  await waitFor(() => expect(offeredValues()[1]).toMatch(/^invoice.*U\+202E/))
})

test('shows how a search was interpreted', async () => {
  serveStored({ understoodAs: '"lock bit" and acme' })
  renderPage('/threats?q="lock bit" acme')
  await screen.findByText('1 case')

  await waitFor(() =>
    expect(screen.getByLabelText('Search')).toHaveAccessibleDescription('Understood as "lock bit" and acme'),
  )
})

const UP_TO_NOW = '2026-11-21T12:00:00Z'
const BEFORE: Gap = { from: null, to: '2026-08-26T00:00:00Z', why: 'planWindow' }
const BETWEEN: Gap = { from: '2026-10-03T00:00:00Z', to: '2026-10-05T00:00:00Z', why: 'notRead' }

test.each<[string, Coverage, string[]]>([
  ['complete', { status: 'complete', from: WINDOW.from, to: UP_TO_NOW, gaps: [] }, []],
  [
    'in part',
    { status: 'part', from: BEFORE.to, to: UP_TO_NOW, gaps: [BETWEEN, BEFORE] },
    [
      'Stored from 26 Aug 2026. Older ones: the plan of the vendor reaches no further back.',
      'Not stored: 3 Oct 2026, 00:00 UTC to 5 Oct 2026, 00:00 UTC (not read yet).',
    ],
  ],
])('says at the end of the list what of its time is missing: %s', async (_, coverage, expected) => {
  const { freshness } = aThreatList([])
  serveStored({ freshness: { ...freshness, coverage } })
  renderPage('/threats?from=2026-01-01')

  const end = await screen.findByText('End of list · 1 case')
  const text = end.parentElement?.textContent ?? ''
  for (const sentence of expected) expect(text).toContain(sentence)
  if (expected.length === 0) expect(text).not.toContain('Stored from')
})

test('says of an empty list that nothing of its time is stored, and why', async () => {
  const { freshness } = aThreatList([])
  const coverage: Coverage = {
    status: 'none',
    from: null,
    to: null,
    gaps: [{ from: null, to: UP_TO_NOW, why: 'notRead' }],
  }
  serve(aThreatList([], { isTotalExact: false, freshness: { ...freshness, coverage } }), {})
  renderPage('/threats?actor=akira&sort=victim')
  expect(await screen.findByText('None of this time is stored: not read yet.')).toBeVisible()
  expect(screen.getAllByText('No threats stored')).not.toHaveLength(0)
  for (const label of ['Severity', 'Actor', 'Industry', 'Search'])
    expect(screen.getByLabelText(label)).toBeEnabled()
})

test('before the first read, says why and not that the list was updated', async () => {
  const { fetchedAt } = aThreatList([]).freshness
  const coverage: Coverage = {
    status: 'none',
    from: null,
    to: null,
    gaps: [{ from: null, to: UP_TO_NOW, why: 'notRead' }],
  }
  const staleReason = 'The vendor cannot be reached or failed.'
  serve(aThreatList([], { freshness: { fetchedAt, isStale: true, staleReason, coverage } }), {})
  renderPage('/threats')
  expect(await screen.findByText(staleReason)).toBeVisible()
  expect(screen.queryByText(/^Updated/)).toBeNull()
})

test('says what a press costs once little is left', async () => {
  const day = { limit: 100, remaining: 7, resetsAt: '2099-01-01T00:00:00Z' }
  const v1 = { ...SOURCE.sets.v1, budgets: { minute: null, day } }
  serve(aThreatList([aThreat('a-1')]), { sets: { ...SOURCE.sets, v1 } })
  renderPage('/threats')

  expect(await screen.findByText('Opening a threat: uses 1–2 of 7 calls left today')).toBeVisible()
})

test('announces demo data as soon as the first answer has', async () => {
  let isAnswered = false
  fakeBff.use(
    http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, isDemo: isAnswered })),
    http.get('/bff/threats', async () => {
      await delay(100)
      isAnswered = true
      return HttpResponse.json(aThreatList([aThreat('a-1')]))
    }),
  )
  renderPage('/threats')
  expect(await screen.findByText(/^Demo data/)).toBeVisible()
})

test('says once for how many threats the vendor gives the fields that a question uses', async () => {
  serveStored({
    partialFields: [
      { field: 'industry', threats: 880, of: 6_000 },
      { field: 'analysis', threats: 5_900, of: 6_000 },
    ],
  })
  renderPage('/threats?q=has:analysis&industry=Energy')
  expect(
    await screen.findByText(
      'This vendor names an industry for 880 and an analysis for 5,900 of 6,000 threats',
    ),
  ).toBeVisible()
})

test('marks a severity that a rule made', async () => {
  const threats = [
    { ...aThreat('a-1'), severity: 'high', isSeverityDerived: true },
    { ...aThreat('a-2'), severity: 'low' },
  ]
  serve({ ...aStoredList(), threats }, { window: WINDOW })
  await renderPage('/threats')
  expect(await screen.findAllByTitle('derived by a rule')).toHaveLength(1)
})

test('says which threats were compared with the vendor, and calls their number exact only as far as that', async () => {
  const { freshness } = aStoredList()
  const checked = { from: '2026-10-25T00:00:00.000Z', at: new Date(Date.now() - 20 * 60_000).toISOString() }
  serveStored({ total: 900, isTotalExact: false, freshness: { ...freshness, checked } })
  await renderPage('/threats')
  expect(await screen.findByText('about 900 cases')).toBeVisible()
  expect(screen.getByText(/^Updated/)).toHaveTextContent(
    /\. Threats since 25 Oct.* were compared with the vendor \d+ min ago\.$/,
  )
})
