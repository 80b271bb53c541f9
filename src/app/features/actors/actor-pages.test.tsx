import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { makeActor, makeActorAnswer, makeActorList } from '#test/fixtures/actor-fixtures.ts'
import { makeList } from '#test/fixtures/list-fixtures.ts'
import { catchSavedFiles } from '#test/support/app/catch-saved-files.ts'
import { fakeBff, problem } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

/** Serves these actors and records the requests. */
function serveActors(
  answer = makeActorList([makeActor('LockBit'), makeActor('Ashfall', { isHeld: false })]),
) {
  const requests: URLSearchParams[] = []
  fakeBff.use(
    http.get('/bff/actors', ({ request }) => {
      requests.push(new URL(request.url).searchParams)
      return HttpResponse.json(answer)
    }),
  )
  return requests
}

function serveActor(answer: () => Response) {
  fakeBff.use(
    http.get('/bff/actors/:name', answer),
    http.get('/bff/trends', () => problem('window_empty', 503)),
    http.get('/bff/threats', () => problem('upstream_unavailable', 502)),
  )
}

test('lists actors as links by their names, with what is known of each', async () => {
  serveActors()
  renderPage('/actors')
  const link = await screen.findByRole('link', { name: 'LockBit' })
  expect(link).toHaveAttribute('href', '/actors/LockBit')
  const row = screen.getByRole('row', { name: /LockBit/ })
  expect(row).toHaveTextContent(/Germany.*Energy.*Ransomware/)
  expect(within(row).getByRole('img', { name: 'LockBit: 12 claims in the last 30 days' })).toBeVisible()
  expect(screen.getByRole('row', { name: /Ashfall/ })).toHaveTextContent('listed only')
  expect(screen.getByRole('heading', { level: 1, name: 'Actors' })).toBeVisible()
  expect(document.title).toBe('Actors · Lantern')
})

test('keeps search, tab and sort in the address', async () => {
  const requests = serveActors()
  const { user, router } = renderPage('/actors')
  await screen.findByRole('link', { name: 'LockBit' })

  await user.click(screen.getByRole('link', { name: /^Rising/ }))
  await user.click(screen.getByRole('link', { name: /^7 days/ }))
  await user.click(screen.getByRole('link', { name: /^7 days/ }))
  await user.type(screen.getByLabelText('Search'), 'lock{Enter}')

  await waitFor(() =>
    expect(router.state.location.search).toEqual({
      q: 'lock',
      tab: 'rising',
      sort: 'change',
      order: 'reverse',
    }),
  )
  expect(screen.getByRole('columnheader', { name: /^7 days/ })).toHaveAttribute('aria-sort', 'ascending')
  await waitFor(() =>
    expect(Object.fromEntries(requests.at(-1) ?? [])).toEqual({
      q: 'lock',
      tab: 'rising',
      sort: 'change',
      order: 'reverse',
      period: '30d',
      rows: 'cases',
      timeZone: 'UTC',
    }),
  )
})

test('requests actors for the countries and industries that the user prefers', async () => {
  localStorage.setItem(
    'lantern.preferences',
    JSON.stringify({ countries: ['DE', 'FR'], industries: ['Energy'] }),
  )
  const requests = serveActors()
  renderPage('/actors?tab=concerning')
  await screen.findByRole('link', { name: 'LockBit' })
  expect(requests.at(-1)?.getAll('country')).toEqual(['DE', 'FR'])
  expect(requests.at(-1)?.getAll('industry')).toEqual(['Energy'])
})

test('counts the threats of an actor that concern the reader, in the list and on the page', async () => {
  localStorage.setItem('lantern.preferences', JSON.stringify({ countries: ['DE'], industries: ['Energy'] }))
  const counted = { concerns: 12, mentions: 125 }
  serveActors(makeActorList([makeActor('LockBit', counted), makeActor('Ashfall', { concerns: 0 })]))
  serveActor(() => HttpResponse.json(makeActorAnswer('LockBit', counted)))
  const { user } = renderPage('/actors')
  const words = '12 of 125 claims concern you, seen in your industries in your countries in the last 30 days'
  await screen.findByRole('link', { name: 'LockBit' })
  expect(screen.getByRole('row', { name: /LockBit/ })).toHaveTextContent(words)
  expect(screen.getAllByRole('link', { name: /concern you/ })).toHaveLength(1)
  await user.click(screen.getByRole('link', { name: 'LockBit' }))
  await screen.findByRole('heading', { level: 1, name: 'LockBit' })
  expect(await screen.findByRole('link', { name: /^12 of 125 claims concern you/ })).toHaveAttribute(
    'href',
    '/threats?country=DE&industry=Energy&actor=LockBit&within=30d&rows=claims',
  )
})

test('does not link the count if a filter cannot contain all the user’s countries', async () => {
  const countries = Array.from({ length: 33 }, (_, at) => `A${String.fromCharCode(65 + (at % 26))}`)
  localStorage.setItem('lantern.preferences', JSON.stringify({ countries, industries: ['Energy'] }))
  serveActors(makeActorList([makeActor('LockBit', { concerns: 12, mentions: 125 })]))
  renderPage('/actors')
  expect(await screen.findByTitle(/^Claims seen in your industries/)).toHaveTextContent(
    '12 of 125 claims concern you',
  )
  expect(screen.queryByRole('link', { name: /concern you/ })).toBeNull()
})

test('says how many threats of an actor lists match, and leads to them', async () => {
  serveActor(() => HttpResponse.json(makeActorAnswer('LockBit')))
  const texts: (string | null)[] = []
  fakeBff.use(
    http.get('/bff/facets/actor', ({ request }) => {
      texts.push(new URL(request.url).searchParams.get('text'))
      const values = [
        { value: 'LockBit 2', count: 9 },
        { value: 'LockBit', count: 3 },
      ]
      return HttpResponse.json({ values, more: 0, isExact: true })
    }),
    http.get('/bff/lists', () => HttpResponse.json({ lists: [makeList()] })),
  )
  renderPage('/actors/LockBit')
  const link = await screen.findByRole('link', { name: '3 claims concern your suppliers: LockBit' })
  expect(link).toHaveAttribute('href', expect.stringMatching(/^\/threats\?actor=LockBit&within=30d&q=list/))
  expect(texts).toEqual(['LockBit'])
})

test('leads from another name to the actor’s own', async () => {
  serveActor(() => HttpResponse.json(makeActorAnswer('LockBit')))
  const { router } = renderPage('/actors/ABCD')
  expect(await screen.findByRole('heading', { level: 1, name: 'LockBit' })).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe('/actors/LockBit'))
})

test('says what to do where a reader has not chosen countries and industries yet', async () => {
  serveActors(makeActorList([]))
  renderPage('/actors?tab=concerning')
  expect(await screen.findByText('Choose your countries and industries')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/settings')
})

test('says when there are more actors than it shows, and why the vendor’s list is missing', async () => {
  serveActors(
    makeActorList([makeActor('LockBit')], {
      total: 3_200,
      listing: { fetchedAt: null, absent: 'The plan does not include it.' },
    }),
  )
  renderPage('/actors')
  expect(await screen.findByText(/3,200 actors, the first 1 shown/)).toBeVisible()
  expect(screen.getByText(/not included. The plan does not include it/)).toBeVisible()
})

test('draws only the rows in sight', async () => {
  serveActors(makeActorList(Array.from({ length: 500 }, (_, at) => makeActor(`Actor ${at}`))))
  renderPage('/actors')
  await screen.findByRole('link', { name: 'Actor 0' })
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '501')
  expect(screen.getAllByRole('row').length).toBeLessThan(60)
})

test('opens names that an address cannot hold as they are', async () => {
  const name = 'a/b?c#d%2F \u202eevil\ud800'
  serveActors(makeActorList([makeActor(name)]))
  const requests: string[] = []
  serveActor(() => HttpResponse.json(makeActorAnswer('a/b')))
  fakeBff.events.on('request:start', ({ request }) => requests.push(new URL(request.url).pathname))
  const { user } = renderPage('/actors')
  await user.click(await screen.findByRole('link', { name: /evil/ }))
  expect(await screen.findByRole('heading', { level: 1, name: 'a/b' })).toBeVisible()
  expect(requests).toContain(`/bff/actors/${encodeURIComponent(name.toWellFormed())}`)
  fakeBff.events.removeAllListeners()
})

test('shows whom an actor targets, and links each count to exactly those threats', async () => {
  serveActor(() => HttpResponse.json(makeActorAnswer('LockBit')))
  renderPage('/actors/LockBit')
  const countries = await screen.findByRole('region', { name: /Targeted countries/ })
  expect(within(countries).getByRole('link', { name: 'Germany' })).toHaveAttribute(
    'href',
    '/threats?actor=LockBit&within=30d&rows=claims&country=DE',
  )
  expect(screen.getByRole('link', { name: /^\d+ claims in 30 days$/ })).toHaveAttribute(
    'href',
    '/threats?actor=LockBit&within=30d&rows=claims',
  )
  expect(screen.getByRole('link', { name: '3 claims in the last 7 days' })).toHaveAttribute(
    'href',
    '/threats?actor=LockBit&within=7d&rows=claims',
  )
  expect(screen.getByRole('link', { name: 'Energy' })).toHaveAttribute(
    'href',
    '/threats?actor=LockBit&within=30d&rows=claims&industry=Energy',
  )
  expect(screen.getByText('Also known as')).toHaveTextContent('ABCD')
  expect(screen.getByText('money at hxxp[:]//pay[.]example')).toBeVisible()
  expect(document.title).toBe('LockBit · Lantern')
})

test('offers a search for a name that no record has', async () => {
  serveActor(() => problem('not_found', 404, { detail: 'No record names this actor.' }))
  renderPage('/actors/Nobody')
  expect(await screen.findByText('No such actor is known')).toBeVisible()
  expect(screen.getByRole('heading', { level: 1, name: 'Nobody' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Search the threats' })).toHaveAttribute(
    'href',
    '/threats?q=Nobody',
  )
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})

test('offers another try where the vendor failed', async () => {
  serveActor(() => problem('upstream_unavailable', 502))
  renderPage('/actors/LockBit')
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
})

test('saves the actors that a search finds as a file that runs nothing, named partial where some are missing', async () => {
  const saved = catchSavedFiles()
  const hostile = makeActor('=lock.example\u202e', { concerns: 4 })
  serveActors(makeActorList([hostile, makeActor('Ashfall')], { total: 3_200 }))
  const values = [{ value: '=lock.example\u202e', count: 2 }]
  const { promise: isDue, resolve: answer } = Promise.withResolvers<void>()
  fakeBff.use(
    http.get('/bff/facets/actor', async () => {
      await isDue
      return HttpResponse.json({ values, more: 7, isExact: true })
    }),
  )
  const { user } = renderPage('/actors?q=a&sort=name')
  await screen.findByRole('link', { name: 'Ashfall' })
  await user.click(screen.getByRole('button', { name: 'Export' }))
  expect(await screen.findByText('Counting what concerns you…')).toBeVisible()
  answer()
  await screen.findByRole('group', { name: 'Columns' })
  const dialog = await screen.findByRole('dialog', { name: 'Export actors' })
  for (const label of ['First seen (UTC)', 'Latest observation (UTC)', 'Top industries'])
    await user.click(within(dialog).getByRole('checkbox', { name: label }))
  await user.click(within(dialog).getByRole('button', { name: 'Export' }))
  expect(within(dialog).getByRole('status')).toHaveTextContent(
    /^Saved 2 actors as lantern-actors-.*The file is partial. Only the first 2 of 3,200 are included. Matches of lists are counted for the 1 actors with the most.$/,
  )

  await user.click(within(dialog).getByRole('radio', { name: /JSON/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Export' }))

  expect(saved.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^lantern-actors-\d{8}T\d{4}Z-partial\.csv$/),
    expect.stringMatching(/^lantern-actors-\d{8}T\d{4}Z-partial\.json$/),
  ])
  const [csv, json] = await Promise.all(saved.map(({ file }) => file.text()))
  expect(csv?.replace('\ufeff', '').split('\r\n')).toEqual([
    'Actor,Claims in 30 days (today so far),Claims in the compared part of the 30 days,Claims in the same part of the 30 days before,Claims in the last 7 days (today so far),Claims in the compared part of the 7 days,Claims in the same part of the 7 days before,Top countries,Categories,Claims reported by vendor,Claims that concern you in 30 days (today so far): My interests,Claims that concern you in 30 days (today so far): Lists',
    "'=lock[.]example‹U+202E›,12,12,6,3,3,1,Germany,Ransomware,120,4,2",
    'Ashfall,12,12,6,3,3,1,Germany,Ransomware,120,,',
    '',
  ])
  expect(JSON.parse(json ?? '')).toMatchObject({
    question: { q: 'a', sort: 'name' },
    total: 3_200,
    actors: [{ name: '=lock.example\u202e' }, { name: 'Ashfall' }],
    partialReason:
      'Only the first 2 of 3,200 are included. Matches of lists are counted for the 1 actors with the most.',
  })
})

test('exports the threats of an actor in the window, and offers none of another', async () => {
  serveActor(() => HttpResponse.json(makeActorAnswer('LockBit')))
  const saved = catchSavedFiles()
  const requests: string[] = []
  fakeBff.use(
    http.get('/bff/exports/threats', ({ request }) => {
      requests.push(new URL(request.url).search)
      return problem('window_empty', 503)
    }),
  )
  const { user, unmount } = renderPage('/actors/lockbit')
  await screen.findByRole('heading', { level: 1, name: 'LockBit' })
  await user.click(screen.getByRole('button', { name: 'Export' }))
  const dialog = await screen.findByRole('dialog', { name: 'Export claims' })
  await user.click(within(dialog).getByRole('radio', { name: /STIX/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Export' }))
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('window_empty')
  expect([requests, saved]).toEqual([['?actor=LockBit&timeZone=UTC'], []])
  unmount()

  serveActor(() => HttpResponse.json(makeActorAnswer('LockBit', { isHeld: false })))
  renderPage('/actors/LockBit')
  expect(await screen.findByText(/no stored threat names it/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
})
