import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { NameList } from '#contract/bff/list.ts'
import { type ProfileChange, profileChangeSchema } from '#contract/bff/profile.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { ENTRY_ID, LIST_ID, makeList } from '#test/fixtures/list-fixtures.ts'
import { aThreatList } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, PROFILE, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const NEWCOMER = { ...PROFILE, hasSeenWelcome: false, hasChosenTimeZone: false }

/** Serves the profile of somebody new, and records what answers the page. */
function serveNewcomer(): ProfileChange[] {
  const answers: ProfileChange[] = []
  fakeBff.use(
    http.get('/bff/profile', () => HttpResponse.json(NEWCOMER)),
    http.get('/bff/lists', () => HttpResponse.json({ lists: [] })),
    http.put('/bff/profile', async ({ request }) => {
      const change = profileChangeSchema.parse(await request.json())
      if (change.hasSeenWelcome) answers.push(change)
      return HttpResponse.json({ ...NEWCOMER, ...change })
    }),
  )
  return answers
}

/** Serves the feed's total, of which a first run may not know all. */
function serveFeed(some: Partial<ThreatList>) {
  fakeBff.use(http.get('/bff/threats', () => HttpResponse.json(aThreatList([], some))))
}

function searchOf(link: HTMLElement): string {
  return decodeURIComponent(new URL(link.getAttribute('href') ?? '', 'http://localhost').search)
}

/** Keeps lists as the BFF does, and records what is sent. */
function serveLists(lists: NameList[]) {
  const sent: { path: string; body: unknown }[] = []
  const take = async (request: Request) =>
    sent.push({ path: new URL(request.url).pathname, body: await request.json() })
  fakeBff.use(
    http.get('/bff/lists', () => HttpResponse.json({ lists })),
    http.post('/bff/lists', async ({ request }) => {
      await take(request)
      const made = makeList({ name: 'Own brands and domains', kind: 'own', entryCount: 2, isMatching: true })
      lists.push(made)
      return HttpResponse.json(made, { status: 201 })
    }),
    http.post('/bff/lists/:id/entries', async ({ request }) => {
      await take(request)
      return HttpResponse.json({ added: 1, known: 0 }, { status: 201 })
    }),
  )
  return sent
}

const save = () => screen.getByRole('button', { name: 'Save' })

test('own domains make a list, each line with its answer, and lead to what it matches', async () => {
  serveNewcomer()
  const lists: NameList[] = []
  const sent = serveLists(lists)
  const { user, router } = renderPage('/welcome')
  const domains = await screen.findByLabelText('Domains')
  expect(domains).toHaveAccessibleDescription(/become a list that your team sees: Own brands and domains\.$/)
  await user.click(domains)
  await user.paste(
    'https://www.okapi.example/about\n192.0.2.1\n<img src=x>\nabc.onion\ngithub.com okapi.test\nOKAPI.test',
  )
  await user.click(save())
  expect(domains).toHaveFocus()
  expect(await screen.findByRole('alert')).toHaveTextContent('Correct or remove what is marked in red.')
  expect((await screen.findByText(/^This is an IP address/)).closest('li')).toHaveTextContent(
    'Line 2: 192.0.2.1',
  )
  expect(domains).toHaveAccessibleDescription('5 lines are refused. Correct them, or leave them out.')
  expect(screen.getByText(/^This is an onion address/).closest('li')).toHaveTextContent('Line 4:')
  expect(screen.getByText(/^Many organisations have a page/).closest('li')).toHaveTextContent('github.com')
  expect(sent).toEqual([])

  await user.click(screen.getByRole('checkbox', { name: 'Leave out these 5 lines' }))
  serveFeed({ total: 0 })
  await user.click(save())
  expect(await screen.findByText(/^Your domains:/)).toHaveTextContent('comparing with all stored threats…')
  const entry = { note: null, key: null, weight: 'normal' }
  expect(sent).toMatchObject([
    {
      path: '/bff/lists',
      body: {
        name: 'Own brands and domains',
        kind: 'own',
        isShared: true,
        entries: [
          { name: 'www.okapi.example', domains: ['www.okapi.example'], ...entry },
          { name: 'okapi.test', domains: ['okapi.test'], ...entry },
        ],
      },
    },
  ])

  lists[0] = makeList({ ...lists[0], isMatching: false })
  await router.options.context.queryClient.invalidateQueries({ queryKey: ['lists'] })
  const found = await screen.findByRole('link', { name: '0 threats' })
  expect(searchOf(found).replaceAll('+', ' ')).toBe('?q=list:"Own brands and domains"')
})

test('own domains are added to the list that is there, and a refusal loses none of them', async () => {
  const answers = serveNewcomer()
  const mine = makeList({ name: 'Our brands', kind: 'own', entryCount: 3 })
  const teams = makeList({ id: ENTRY_ID, kind: 'own', owner: { name: 'Bob', isMe: false } })
  const sent = serveLists([makeList(), teams, mine])
  const { user } = renderPage('/welcome')
  const domains = await screen.findByLabelText('Domains')
  await waitFor(() =>
    expect(domains).toHaveAccessibleDescription(/added to your list: Our brands, 3 entries\.$/),
  )
  await user.type(domains, 'co.uk')
  fakeBff.use(
    http.post(
      '/bff/lists/:id/entries',
      () => problem('bad_request', 400, { detail: 'Many below “co.uk”.' }),
      {
        once: true,
      },
    ),
  )
  await user.click(save())
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Not saved. Problem bad_request. Many below “co.uk”.',
  )
  expect(domains).toHaveValue('co.uk')
  expect(answers).toEqual([])

  await user.clear(domains)
  await user.type(domains, 'okapi.co.uk')
  serveFeed({ total: 1, isTotalExact: false })
  await user.click(save())
  const found = await screen.findByRole('link', { name: '1 threat' })
  expect(found.closest('li')).toHaveTextContent('Your domains: 1 threat so far')
  expect(sent).toMatchObject([
    { path: `/bff/lists/${LIST_ID}/entries`, body: { entries: [{ name: 'okapi.co.uk' }] } },
  ])
})

test('viewers are not offered own domains, and see those of the team', async () => {
  serveNewcomer()
  signInAs('viewer')
  fakeBff.use(
    http.get('/bff/lists', () =>
      HttpResponse.json({ lists: [makeList({ kind: 'own', owner: { name: 'Bob', isMe: false } })] }),
    ),
  )
  serveFeed({ total: 3 })
  const { user } = renderPage('/welcome')
  await user.type(await screen.findByLabelText('My countries'), 'DE{Enter}')
  expect(screen.queryByLabelText('Domains')).toBeNull()
  await user.click(save())
  await waitFor(() => expect(screen.getAllByRole('link', { name: '3 threats' })).toHaveLength(2))
  const found = screen
    .getAllByRole('link', { name: '3 threats' })
    .map((link) => link.closest('li')?.textContent)
  expect(found).toEqual(['Your domains: 3 threats', 'Your country: 3 threats in the last 30 days'])
  expect(screen.getByText(/Enter both\.$/)).toBeVisible()
})

test('proposes the zone of the browser, and stores what is given with the account', async () => {
  const answers = serveNewcomer()
  const { user } = renderPage('/welcome')
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome' })).toBeVisible()
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(await screen.findByLabelText('Show times in')).toHaveValue(own)
  await user.selectOptions(screen.getByLabelText('Show times in'), 'Asia/Tokyo')
  await user.type(screen.getByLabelText('My countries'), 'de{Enter}')
  await user.type(screen.getByLabelText('My industries'), 'Heal\u200bthcare')
  serveFeed({ total: 12 })
  await user.click(screen.getByRole('button', { name: 'Save' }))

  await waitFor(() => expect(answers).toHaveLength(1))
  expect(answers[0]).toMatchObject({
    hasSeenWelcome: true,
    hasChosenTimeZone: true,
    preferences: { timeZone: 'Asia/Tokyo', countries: ['DE'], industries: ['Healthcare'] },
  })
  const heading = await screen.findByRole('heading', { level: 1, name: 'What Lantern found' })
  expect(heading).toHaveFocus()
  const found = await screen.findByRole('link', { name: '12 threats' })
  expect(found.closest('li')).toHaveTextContent('Your sector in your country: 12 threats in the last 30 days')
  expect(searchOf(found)).toBe('?country=DE&industry=Healthcare&within=30d')
})

test('skipping stores nothing but that', async () => {
  const answers = serveNewcomer()
  const { user } = renderPage('/welcome')
  await user.type(await screen.findByLabelText('My industries'), 'Energy{Enter}')
  await user.click(screen.getByRole('button', { name: 'Skip for now' }))

  await waitFor(() => expect(answers).toEqual([{ hasSeenWelcome: true }]))
  await waitFor(() => expect(document.title).toBe('Overview · Lantern'))
})

test('marks an unknown country, and keeps all input after a failure', async () => {
  const answers = serveNewcomer()
  const { user } = renderPage('/welcome')
  const countries = await screen.findByLabelText('My countries')
  await user.type(countries, 'Atlantis{Enter}FR{Enter}')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Correct or remove what is marked in red.')
  expect(countries).toHaveFocus()
  expect(answers).toEqual([])

  await user.click(screen.getByRole('button', { name: 'Remove Atlantis' }))
  fakeBff.use(http.put('/bff/profile', () => problem('database_unavailable', 503)))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Not saved. Problem database_unavailable.')
  expect(screen.getByRole('button', { name: 'Remove France' })).toBeVisible()
})

test('Settings links to the welcome page, which stays open for users who keep UTC', async () => {
  fakeBff.use(http.get('/bff/lists', () => HttpResponse.json({ lists: [] })))
  const { user } = renderPage('/settings')
  const part = within(await screen.findByRole('region', { name: 'My interests' }))
  await user.click(part.getByRole('link', { name: 'welcome page' }))
  expect(await screen.findByLabelText('Show times in')).toHaveValue('UTC')
})
