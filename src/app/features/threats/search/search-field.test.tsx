import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { FacetName, ThreatFacets, ThreatList } from '#contract/bff/threat-list.ts'
import { aThreat, aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { chooseValue, offeredValues } from '#test/support/app/choose-value.ts'
import { fakeBff, problem, SOURCE } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const FACETS: ThreatFacets = {
  category: [{ value: 'Data Breach', count: 12 }],
  country: [
    { value: 'FR', count: 1_234 },
    { value: 'DE', count: 7 },
  ],
  actor: [{ value: 'Pale Harbour', count: 3 }],
  industry: [{ value: 'Healthcare', count: 3 }],
  severity: [{ value: 'high', count: 5 }],
}

/** A window that answers every search alike, and keeps what was asked. */
function serve(members: Partial<ThreatList> = {}, says: readonly string[] = []) {
  const asked = { lists: [] as (string | null)[], facets: [] as string[] }
  fakeBff.use(
    http.get('/bff/source', () =>
      HttpResponse.json({
        ...SOURCE,
        window: {
          ...{ status: 'complete', from: '2026-10-22T00:00:00Z', to: '2026-11-21T12:00:00Z' },
          ...{ threats: 900, lastReadAt: '2026-11-21T12:00:00Z', trouble: null, says },
        },
      }),
    ),
    http.get<{ name: FacetName }>('/bff/facets/:name', ({ params, request }) => {
      asked.facets.push(`${params.name} ${new URL(request.url).searchParams.get('q')}`)
      return HttpResponse.json({ values: FACETS[params.name], more: 0, isExact: true })
    }),
    http.get('/bff/threats', ({ request }) => {
      const q = new URL(request.url).searchParams.get('q')
      asked.lists.push(q)
      const list = aThreatList([aThreat('a-1')], { answeredBy: 'window', facets: FACETS })
      return HttpResponse.json({ ...list, understoodAs: q && `[${q}]`, ...members })
    }),
  )
  return asked
}

const field = () => screen.getByRole('combobox', { name: 'Search' })

test('completes a field, then its values with their counts, by keyboard alone', async () => {
  const asked = serve()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 threat')

  await user.type(field(), 'hospital cou')
  await waitFor(() => expect(offeredValues()).toEqual(['country: codes or names: DE,austria']))
  expect(field()).toHaveAttribute('aria-expanded', 'true')
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(field()).toHaveValue('hospital country:'))
  await waitFor(() => expect(offeredValues().slice(0, 2)).toEqual(['France FR 1,234', 'Germany DE 7']))
  // Half a clause is no search.
  expect(field()).not.toHaveAttribute('aria-invalid')
  await user.keyboard('{ArrowDown}{ArrowDown}')
  const active = screen.getByRole('option', { selected: true })
  expect(field()).toHaveAttribute('aria-activedescendant', active.id)
  await user.keyboard('{Enter}')

  expect(field()).toHaveAttribute('aria-expanded', 'false')
  await user.keyboard(' -university{Enter}')
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'hospital country:DE -university' }))
  expect(asked.facets).toContain('country hospital')
  expect(asked.lists).not.toContain('hospital country:')
  await waitFor(() =>
    expect(field()).toHaveAccessibleDescription('Understood as [hospital country:DE -university]'),
  )
})

test('a value that is half typed is not asked for, and the last answer stays, said to be the last', async () => {
  const asked = serve()
  const { router, user } = renderPage('/threats?q=acme')
  await screen.findByText('1 threat')

  await user.type(field(), ' country:g')
  await waitFor(() => expect(field()).toHaveAccessibleDescription('Still showing [acme]'))
  expect(screen.getByText('1 threat')).toBeVisible()
  await user.type(field(), 'erm')
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme country:DE' }))
  await waitFor(() => expect(field()).toHaveAccessibleDescription('Understood as [acme country:DE]'))
  expect(asked.lists).toEqual(['acme', 'acme country:DE'])
})

test.each([
  ['Enter', 'actor:pa{Enter}'],
  ['a space', 'actor:pa '],
  ['leaving the field', 'actor:pa{Tab}'],
  ['the caret elsewhere', 'actor:pa{Home}'],
  ['a code that is known', 'country:de'],
])('a value that was begun waits no longer after %s', async (_, typed) => {
  serve()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 threat')

  await user.click(field())
  await user.keyboard('actor:')
  await waitFor(() => expect(field()).toHaveAccessibleDescription(/^Still showing/))
  await user.clear(field())
  await user.keyboard(typed)
  expect(field()).not.toHaveAccessibleDescription(/^Still showing/)
  const q = typed.replace(/ |\{.*/, '')
  await waitFor(() => expect(router.state.location.search).toEqual({ q }))
})

test('a value that was begun is asked for when the typing rests', async () => {
  serve()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 threat')

  await user.type(field(), 'actor:pa')
  await waitFor(() => expect(field()).toHaveAccessibleDescription('Still showing the list from before.'))
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'actor:pa' }), { timeout: 5_000 })
  expect(field()).toHaveFocus()
})

test.each([
  [[], ['note'], []],
  [['analysis'], ['note', 'analysis'], []],
  [
    ['evidence', 'source'],
    ['note', 'evidence'],
    ['source: a host where it was seen, and all below it, where lists say it'],
  ],
])('offers no more parts than lists say: %s', async (says, parts, names) => {
  serve({}, says)
  const { user } = renderPage('/threats')
  await screen.findByText('1 threat')
  await user.type(field(), 'has:')
  await waitFor(() => expect(offeredValues()).toEqual(parts))
  await user.clear(field())
  await user.type(field(), 'sou')
  await waitFor(() => expect(offeredValues()).toEqual(names))
})

test('Escape closes the list, then leaves, and keeps what was typed; an arrow opens it again', async () => {
  serve()
  const { user } = renderPage('/threats')
  await screen.findByText('1 threat')

  await user.type(field(), 'is:')
  await waitFor(() => expect(offeredValues()).toContain('starred'))
  await user.keyboard('{Escape}')
  expect(offeredValues()).toEqual([])
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent('starred')
  await user.keyboard('{Escape}{Escape}')
  expect(field()).not.toHaveFocus()
  expect(field()).toHaveValue('is:')
})

test('a fault keeps what was typed and what was found, says where it is, and can be mended', async () => {
  const asked = serve()
  const { router, user } = renderPage('/threats?q=acme')
  await screen.findByText('1 threat')

  await user.type(field(), ' severity:>=hgih{Enter}')
  await waitFor(() => expect(field()).toBeInvalid())
  expect(field()).toHaveAccessibleDescription(
    'Compare with low, medium, high, critical. Still showing [acme]',
  )
  expect(screen.getByText('>=hgih').closest('code')).toHaveTextContent('acme severity:>=hgih')
  expect(field()).toHaveValue('acme severity:>=hgih')
  expect(screen.getByText('1 threat')).toBeVisible()
  expect(router.state.location.search).toEqual({ q: 'acme' })
  expect(asked.lists).toEqual(['acme'])

  await user.click(screen.getByRole('button', { name: 'Write >=high' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme severity:>=high' }))
  expect(field()).toHaveValue('acme severity:>=high')
  await waitFor(() => expect(field()).not.toBeInvalid())
})

test('says of each of several faults where it is, and mends one after the other', async () => {
  const asked = serve()
  const { router, user } = renderPage('/threats?q=acme')
  await screen.findByText('1 threat')

  await user.type(field(), ' severity:>=hgih is:opne ){Enter}')
  await waitFor(() => expect(field()).toBeInvalid())
  expect(field()).toHaveAccessibleDescription(
    'Compare with low, medium, high, critical. ' +
      '“opne” is not known here: use starred, read, unread, dismissed, open. ' +
      'This parenthesis closes none. Still showing [acme]',
  )
  for (const place of ['>=hgih', 'opne'])
    expect(screen.getByText(place).closest('code')).toHaveTextContent('acme severity:>=hgih is:opne )')

  await user.click(screen.getByRole('button', { name: 'Remove it' }))
  await user.click(screen.getByRole('button', { name: 'Write open' }))
  expect(field()).toHaveAccessibleDescription(
    'Compare with low, medium, high, critical. Still showing [acme]',
  )
  expect(asked.lists).toEqual(['acme'])
  await user.click(screen.getByRole('button', { name: 'Write >=high' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme severity:>=high is:open' }))
})

test('says how many faults there are beyond the first', async () => {
  serve()
  const { user } = renderPage('/threats')
  await screen.findByText('1 threat')
  await user.click(field())
  await user.paste(Array.from({ length: 10 }, (_, at) => `is:x${at}`).join(' '))
  await user.keyboard('{Enter}')
  expect(await screen.findByText('And 2 more.')).toBeVisible()
  expect(screen.getAllByText(/is not known here/)).toHaveLength(8)
})

test('marks all that the server refuses', async () => {
  const fields = ['evidence', 'analysis'].map((part, at) => ({
    name: 'q',
    reason: `The lists read so far do not say which threats have ${part}.`,
    from: 4 + 13 * at,
    to: 12 + 13 * at,
  }))
  serve()
  fakeBff.use(http.get('/bff/threats', () => problem('bad_request', 400, { fields })))
  renderPage('/threats?q=has:evidence has:analysis')
  await waitFor(() =>
    expect(field()).toHaveAccessibleDescription(/have evidence\. The lists .* have analysis\./),
  )
})

test('marks what only the server can refuse, in a link as well', async () => {
  const fields = [{ name: 'q', reason: 'There is no alert profile “Bnaks”.', from: 8, to: 13, fix: 'Banks' }]
  serve()
  fakeBff.use(
    http.get('/bff/threats', ({ request }) =>
      request.url.includes('Bnaks') ? problem('bad_request', 400, { fields }) : undefined,
    ),
  )
  const { router, user } = renderPage('/threats?q=profile:Bnaks')
  await user.click(await screen.findByRole('button', { name: 'Write Banks' }))

  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'profile:Banks' }))
  await screen.findByText('1 threat')
})

test('a word that joined others can be searched for instead', async () => {
  serve()
  const { router, user } = renderPage('/threats?q=acme or contoso')
  expect(await screen.findByText(/^“or” joins what is on its sides/)).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Search for the word' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme "or" contoso' }))
})

test('the parts of a search are chips, and its fields are the filters’ own', async () => {
  serve()
  const { router, user } = renderPage(
    '/threats?q=(hospital OR klinik) country:DE,AT -actor:pale&severity=high',
  )
  const chips = await screen.findByRole('list', { name: 'Filters in use' })
  await waitFor(() =>
    expect(
      within(chips)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Remove Search: (hospital OR klinik)',
      'Remove Country: Germany, Austria',
      'Remove Not actor: pale',
      'Remove Severity: high',
    ]),
  )
  expect(screen.getByLabelText('Country')).toHaveValue('2 chosen')
  expect(screen.getByLabelText('Actor')).toHaveValue('')

  await chooseValue(user, 'Country', 'Austria')
  await waitFor(() =>
    expect(router.state.location.search).toEqual({
      q: '(hospital OR klinik) country:DE -actor:pale',
      severity: 'high',
    }),
  )
  await user.click(within(chips).getByRole('button', { name: 'Remove Country: Germany' }))
  await waitFor(() => expect(field()).toHaveValue('(hospital OR klinik) -actor:pale'))
  // What the search does not name goes into the address.
  await chooseValue(user, 'Country', 'Germany')
  await waitFor(() => expect(router.state.location.search).toMatchObject({ country: 'DE' }))
})

test('an empty list names the part of a search to loosen', async () => {
  serve({ threats: [], total: 0 })
  const { router, user } = renderPage('/threats?q=acme country:DE')

  await user.click(await screen.findByRole('button', { name: 'Without Country: Germany' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme' }))
})

test('the help has examples of what the reader has, each a press away', async () => {
  serve()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 threat')

  await user.click(screen.getByRole('button', { name: 'Query help' }))
  const examples = await screen.findByRole('region', { name: 'Examples' })
  expect(within(examples).getAllByRole('button')).toHaveLength(6)
  await user.click(within(examples).getByRole('button', { name: /^actor:"Pale Harbour" after:30d/ }))

  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'actor:"Pale Harbour" after:30d' }))
  await waitFor(() => expect(field()).toHaveFocus())
  expect(field()).toHaveValue('actor:"Pale Harbour" after:30d')
})

test('reads in the order of its own words, whatever script the values have', async () => {
  serve({ understoodAs: 'مستشفى and country is Germany' })
  renderPage('/threats?q=مستشفى country:DE')

  const understood = await screen.findByText(/country is Germany/)
  expect(understood).toHaveAttribute('dir', 'ltr')
})

test('offers no value twice', async () => {
  serve()
  const { user } = renderPage('/threats')
  await screen.findByText('1 threat')

  await user.type(field(), 'country:france,')
  await waitFor(() => expect(offeredValues()[0]).toBe('Germany DE 7'))
  expect(offeredValues().join()).not.toContain('France')
})

test('a filter whose field the text names counts its values without them', async () => {
  const asked = serve()
  const { user } = renderPage('/threats?q=hospital country:DE -university')
  await screen.findByText('1 threat')
  await waitFor(() => expect(screen.getByLabelText('Country')).toHaveValue('Germany'))

  await user.click(screen.getByLabelText('Country'))
  await waitFor(() => expect(asked.facets).toContain('country hospital -university'))
  await user.click(screen.getByLabelText('Severity'))
  await waitFor(() => expect(asked.facets).toContain('severity hospital country:DE -university'))
  expect(asked.facets).not.toContain('country hospital country:DE -university')
})
