import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { aLanternProfile, aLanternProfileList } from '#test/fixtures/delivery-fixtures.ts'
import { makeList } from '#test/fixtures/list-fixtures.ts'
import { chooseValue, offeredValues } from '#test/support/app/choose-value.ts'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { searchField, serveSearches } from '#test/support/app/serve-searches.ts'

test('completes a field, then its values with their counts, by keyboard alone', async () => {
  const requests = serveSearches()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(searchField(), 'hospital cou')
  await waitFor(() => expect(offeredValues()).toEqual(['country: codes or names: DE,austria']))
  expect(searchField()).toHaveAttribute('aria-expanded', 'true')
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(searchField()).toHaveValue('hospital country:'))
  await waitFor(() => expect(offeredValues().slice(0, 2)).toEqual(['France FR 1,234', 'Germany DE 7']))
  await user.keyboard('{ArrowDown}{ArrowDown}')
  const active = screen.getByRole('option', { selected: true })
  expect(searchField()).toHaveAttribute('aria-activedescendant', active.id)
  await user.keyboard('{Enter}')

  expect(searchField()).toHaveAttribute('aria-expanded', 'false')
  await user.keyboard(' -university{Enter}')
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'hospital country:DE -university' }))
  expect(requests.facets).toContain('country hospital')
  expect(requests.lists).not.toContain('hospital country:')
  await waitFor(() =>
    expect(searchField()).toHaveAccessibleDescription('Understood as [hospital country:DE -university]'),
  )
})

test('Tab completes the value that is being typed, and then leaves the field', async () => {
  serveSearches()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(searchField(), 'hospital country:fr')
  await waitFor(() => expect(offeredValues()[0]).toMatch(/^France FR/))
  await user.tab()
  expect(searchField()).toHaveValue('hospital country:FR')
  expect(searchField()).toHaveFocus()
  expect(offeredValues()).toEqual([])
  await user.tab()
  expect(searchField()).not.toHaveFocus()
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'hospital country:FR' }))

  // A word that could go on to be a field stays what it is.
  await user.type(searchField(), ' act')
  await waitFor(() => expect(offeredValues()).toHaveLength(1))
  await user.tab()
  expect(searchField()).toHaveValue('hospital country:FR act')
  expect(searchField()).not.toHaveFocus()
})

test('completes the names of own and shared profiles, in quotation marks where they have spaces', async () => {
  serveSearches()
  const ofEve = { owner: { name: 'Eve', isMe: false } }
  const profiles = [
    aLanternProfile(1, { name: 'Our suppliers' }),
    aLanternProfile(2, { name: 'Suppliers', ...ofEve, isShared: true }),
    aLanternProfile(3, { name: 'Suppliers of Eve', ...ofEve, isShared: false }),
    aLanternProfile(4, { name: 'Clinics' }),
  ]
  fakeBff.use(http.get('/bff/alert-profiles', () => HttpResponse.json(aLanternProfileList(profiles))))
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(searchField(), 'profile:supp')
  await waitFor(() => expect(offeredValues()).toEqual(['Our suppliers', 'Suppliers']))
  await user.tab()
  expect(searchField()).toHaveValue('profile:"Our suppliers"')
  await user.type(searchField(), ',')
  await waitFor(() => expect(offeredValues()).toEqual(['Suppliers', 'Clinics']))
  await user.keyboard('{ArrowDown}{Enter}{Enter}')
  const q = 'profile:"Our suppliers",Suppliers'
  await waitFor(() => expect(router.state.location.search).toEqual({ q }))
})

test('completes the names of lists', async () => {
  serveSearches()
  const lists = ['Vendors', 'Brands'].map((name) => makeList({ name }))
  fakeBff.use(http.get('/bff/lists', () => HttpResponse.json({ lists })))
  const { user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(searchField(), 'list:')
  await waitFor(() => expect(offeredValues()).toEqual(['* any list', 'Vendors', 'Brands']))
  await user.type(searchField(), 'vend')
  await waitFor(() => expect(offeredValues()).toEqual(['Vendors']))
  await user.tab()
  expect(searchField()).toHaveValue('list:Vendors')
})

test('completes the names of those who can own a case, after the words for owners', async () => {
  serveSearches()
  const owners = ['Mara Lindqvist', 'Tom'].map((name) => ({ id: crypto.randomUUID(), name }))
  fakeBff.use(http.get('/bff/triage/owners', () => HttpResponse.json({ owners })))
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(searchField(), 'owner:')
  await waitFor(() => expect(offeredValues()).toEqual(['me', 'nobody', 'inactive', 'Mara Lindqvist', 'Tom']))
  await user.type(searchField(), 'lind')
  await waitFor(() => expect(offeredValues()).toEqual(['Mara Lindqvist']))
  await user.keyboard('{Tab}{Enter}')
  const q = 'owner:"Mara Lindqvist"'
  await waitFor(() => expect(router.state.location.search).toEqual({ q }))
})

test('offers viewers only the fixed words for owners, and no names of users', async () => {
  serveSearches()
  const session = { ...SESSION, user: { ...SESSION.user, role: 'viewer' } }
  fakeBff.use(http.get('/bff/session', () => HttpResponse.json(session)))
  const { user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(searchField(), 'owner:')
  await waitFor(() => expect(offeredValues()).toEqual(['me', 'nobody', 'inactive']))
})

test('Escape closes the list, then leaves, and keeps what was typed; an arrow opens it again', async () => {
  serveSearches()
  const { user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(searchField(), 'is:')
  await waitFor(() => expect(offeredValues()).toContain('starred'))
  await user.keyboard('{Escape}')
  expect(offeredValues()).toEqual([])
  await user.keyboard('{ArrowDown}')
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent('open')
  await user.keyboard('{Escape}{Escape}')
  expect(searchField()).not.toHaveFocus()
  expect(searchField()).toHaveValue('is:')
})

test.each(['severity:>=hgih', 'severity>hgih'])(
  'a fault shows once, at its position, without results of the search before: %s',
  async (faulty) => {
    serveSearches()
    const { router, user } = renderPage('/threats?q=acme')
    await screen.findByText('1 case')

    await user.type(searchField(), ` ${faulty}`)
    // Half typed it is no fault yet.
    expect(searchField()).not.toBeInvalid()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(searchField()).toBeInvalid())
    await expectOneFault(`acme ${faulty}`)
    expect(router.state.location.search).toEqual({ q: `acme ${faulty}` })

    await user.click(screen.getByRole('button', { name: /^Write / }))
    if (faulty === 'severity>hgih')
      await user.click(await screen.findByRole('button', { name: 'Write >high' }))
    await screen.findByText('1 case')
    await waitFor(() => expect(searchField()).not.toBeInvalid())
  },
)

test('a search from a link shows its error once, at the faulty word', async () => {
  serveSearches()
  const { router, user } = renderPage('/threats?q=acme severity:urgent')
  await waitFor(() => expect(searchField()).toBeInvalid())
  await expectOneFault('acme severity:urgent')

  await user.click(screen.getByRole('button', { name: 'Write critical' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme severity:critical' }))
  await screen.findByText('1 case')
})

async function expectOneFault(text: string) {
  expect(await screen.findByText('Correct the search to see threats.')).toBeVisible()
  const message = searchField()
    .getAttribute('aria-describedby')
    ?.split(' ')
    .find((id) => id.includes('fault'))
  const shown = document.getElementById(message ?? '')?.textContent ?? ''
  expect(document.body.textContent?.split(shown)).toHaveLength(2)
  expect(document.querySelectorAll('code')).toHaveLength(1)
  expect(document.querySelector('code')).toHaveTextContent(text)
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  expect(document.body).not.toHaveTextContent('request-1')
  expect(screen.queryByRole('row')).not.toBeInTheDocument()
  const chips = within(screen.getByRole('list', { name: 'Filters in use' })).getAllByRole('button')
  expect(chips.map(({ textContent }) => textContent)).toEqual([`Remove Search: ${text}`])
}

test('says of each of several faults where it is, and mends one after the other', async () => {
  serveSearches()
  const { router, user } = renderPage('/threats?q=acme')
  await screen.findByText('1 case')

  await user.type(searchField(), ' severity:>=hgih is:opne ){Enter}')
  await waitFor(() => expect(searchField()).toBeInvalid())
  const described = () => searchField().getAttribute('aria-describedby')?.trim().split(' ') ?? []
  const faults = () => described().flatMap((id) => document.getElementById(id)?.textContent || [])
  expect(faults()).toEqual([
    'Compare with low, medium, high, critical.',
    '“opne” is not known here: use open, new, investigating, closed, mine, overdue, unread, read, starred.',
    'This parenthesis closes none.',
  ])
  for (const place of ['>=hgih', 'opne'])
    expect(screen.getByText(place).closest('code')).toHaveTextContent('acme severity:>=hgih is:opne )')

  await user.click(screen.getByRole('button', { name: 'Remove it' }))
  await user.click(await screen.findByRole('button', { name: 'Write open' }))
  await waitFor(() => expect(faults()).toEqual(['Compare with low, medium, high, critical.']))
  await user.click(screen.getByRole('button', { name: 'Write >=high' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme severity:>=high is:open' }))
  await screen.findByText('1 case')
})

test('says how many faults there are beyond the first', async () => {
  serveSearches()
  const { user } = renderPage('/threats')
  await screen.findByText('1 case')
  await user.click(searchField())
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
  serveSearches()
  fakeBff.use(http.get('/bff/threats', () => problem('bad_request', 400, { fields })))
  renderPage('/threats?q=has:evidence has:analysis')
  await waitFor(() =>
    expect(searchField()).toHaveAccessibleDescription(/have evidence\. The lists .* have analysis\./),
  )
})

test('marks what only the server can refuse, in a link as well', async () => {
  const fields = [{ name: 'q', reason: 'There is no alert profile “Bnaks”.', from: 8, to: 13, fix: 'Banks' }]
  serveSearches()
  fakeBff.use(
    http.get('/bff/threats', ({ request }) =>
      request.url.includes('Bnaks') ? problem('bad_request', 400, { fields }) : undefined,
    ),
  )
  const { router, user } = renderPage('/threats?q=profile:Bnaks')
  await user.click(await screen.findByRole('button', { name: 'Write Banks' }))

  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'profile:Banks' }))
  await screen.findByText('1 case')
})

test('a word that joined others can be searched for instead', async () => {
  serveSearches()
  const { router, user } = renderPage('/threats?q=acme or contoso')
  expect(await screen.findByText(/^“or” works as OR\. Quote it/)).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Search for the word' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'acme "or" contoso' }))
})

test('the parts of a search are chips, and its fields are the filters’ own', async () => {
  serveSearches()
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
  await waitFor(() => expect(searchField()).toHaveValue('(hospital OR klinik) -actor:pale'))
  // What the search does not name goes into the address.
  await chooseValue(user, 'Country', 'Germany')
  await waitFor(() => expect(router.state.location.search).toMatchObject({ country: 'DE' }))
})

test('the help has examples of what the reader has, each a press away', async () => {
  serveSearches()
  const { router, user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.click(screen.getByRole('button', { name: 'Query help' }))
  const examples = await screen.findByRole('region', { name: 'Examples' })
  expect(within(examples).getAllByRole('button')).toHaveLength(6)
  await user.click(within(examples).getByRole('button', { name: /^actor:"Pale Harbour" after:30d/ }))

  await waitFor(() => expect(router.state.location.search).toEqual({ q: 'actor:"Pale Harbour" after:30d' }))
  await waitFor(() => expect(searchField()).toHaveFocus())
  expect(searchField()).toHaveValue('actor:"Pale Harbour" after:30d')
})

test('reads in the order of its own words, whatever script the values have', async () => {
  serveSearches({ understoodAs: 'مستشفى and country is Germany' })
  renderPage('/threats?q=مستشفى country:DE')

  const understood = await screen.findByText(/country is Germany/)
  expect(understood).toHaveAttribute('dir', 'ltr')
})

test('offers no value twice', async () => {
  serveSearches()
  const { user } = renderPage('/threats')
  await screen.findByText('1 case')

  await user.type(searchField(), 'country:france,')
  await waitFor(() => expect(offeredValues()[0]).toBe('Germany DE 7'))
  expect(offeredValues().join()).not.toContain('France')
})

test('a filter whose field the text names counts its values without them', async () => {
  const requests = serveSearches()
  const { user } = renderPage('/threats?q=hospital country:DE -university')
  await screen.findByText('1 case')
  await waitFor(() => expect(screen.getByLabelText('Country')).toHaveValue('Germany'))

  await user.click(screen.getByLabelText('Country'))
  await waitFor(() => expect(requests.facets).toContain('country hospital -university'))
  await user.click(screen.getByLabelText('Severity'))
  await waitFor(() => expect(requests.facets).toContain('severity hospital country:DE -university'))
  expect(requests.facets).not.toContain('country hospital country:DE -university')
})
