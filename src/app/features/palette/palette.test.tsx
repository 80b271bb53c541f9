import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeActor, makeActorList } from '#test/fixtures/actor-fixtures.ts'
import { NO_FACETS } from '#test/fixtures/threat-fixtures.ts'
import { fakeBff, problem, SOURCE, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const FRESHNESS = {
  fetchedAt: '2026-11-21T00:00:00Z',
  isStale: false,
  staleReason: null,
}
const THREAT = {
  id: 't-1',
  set: 'v1',
  title: 'Northwind \u202ehsilop',
  excerpt: null,
  category: null,
  severity: null,
  actors: [],
  countries: [],
  industries: [],
  organizations: [],
  domains: [],
  publishedAt: null,
  redacted: [],
}

const requests: string[] = []

/** A BFF with one threat in its window. */
function answerFromStore() {
  fakeBff.use(
    http.get('/bff/source', () =>
      HttpResponse.json({ ...SOURCE, window: { ...SOURCE.window, status: 'complete' } }),
    ),
    http.get('/bff/threats', ({ request }) => {
      requests.push(new URL(request.url).search)
      return HttpResponse.json({
        threats: [THREAT],
        nextCursor: null,
        total: 1,
        isTotalExact: true,
        facets: NO_FACETS,
        understoodAs: null,
        undated: 0,
        partialFields: [],
        freshness: FRESHNESS,
      })
    }),
  )
}

beforeEach(() => {
  requests.length = 0
  sessionStorage.clear()
  fakeBff.use(
    // What the pages ask for that a test leads to: they are no part of it.
    http.get(/\/bff\/(metrics|trends|countries|threats)/, () => problem('window_empty', 503)),
    http.get('/bff/views', () => HttpResponse.json({ views: [] })),
    http.get('/bff/actors', () => HttpResponse.error()),
  )
})
afterEach(() => sessionStorage.clear())

async function openPalette(url = '/nowhere') {
  const page = renderPage(url)
  await screen.findByRole('heading', { level: 1 })
  await page.user.keyboard('{Control>}k{/Control}')
  // The first one waits for its script.
  const field = await screen.findByRole('combobox')
  const active = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
  return { ...page, field, active }
}

// First, while the search is still to be fetched.
test('loses no letter that is typed before the search has come', async () => {
  const { user } = renderPage('/nowhere')
  await screen.findByRole('heading', { level: 1 })
  await user.keyboard('{Control>}k{/Control}met')
  expect(await screen.findByRole('combobox')).toHaveValue('met')
})

test('leads to a page by a few letters, by keyboard alone', async () => {
  const { router, user, field, active } = await openPalette()
  expect(field).toHaveFocus()
  await user.keyboard('met')
  expect(active()).toHaveTextContent('Metrics')

  await user.keyboard('{Enter}')

  await waitFor(() => expect(router.state.location.pathname).toBe('/metrics'))
  expect(screen.queryByRole('combobox', { name: /^Page, actor/ })).toBeNull()
})

test('moves by arrows around the ends, and remembers where it led', async () => {
  const { router, user, active } = await openPalette()
  const [first] = screen.getAllByRole('option')
  expect(active()).toBe(first)
  await user.keyboard('{ArrowUp}')
  expect(active()).toBe(screen.getAllByRole('option').at(-1))
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(active()).toHaveTextContent('Threats')

  await user.keyboard('settings{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/settings'))
  await user.keyboard('{Control>}k{/Control}')
  const lately = await screen.findByRole('group', { name: 'Lately' })
  expect(within(lately).getByRole('option')).toHaveTextContent('Settings')
})

test('offers what is for admins to admins, and the ledger and the builder of profiles to no viewer', async () => {
  signInAs('viewer')
  const ofViewer = await openPalette()
  expect(screen.queryByRole('option', { name: 'Deliveries' })).toBeNull()
  expect(screen.queryByRole('option', { name: 'New alert profile' })).toBeNull()
  ofViewer.unmount()
  signInAs('analyst')
  const { unmount } = await openPalette()
  expect(screen.queryByRole('option', { name: /Audit log/ })).toBeNull()
  expect(screen.getByRole('option', { name: 'Deliveries' })).toBeVisible()
  expect(screen.getByRole('option', { name: 'New alert profile' })).toBeVisible()
  unmount()
  signInAs('admin')
  await openPalette()
  expect(screen.getByRole('option', { name: /Audit log/ })).toBeVisible()
})

test.for([
  ['country: de severity: crit', '/threats?country=DE&severity=critical'],
  [
    'clinic show: unr from: 2026-11-01 to:2026-11-21',
    '/threats?q=clinic&triage=unread&from=2026-11-01&to=2026-11-21',
  ],
  ['Country: fr country: es', '/threats?country=FR&country=ES'],
  ['country: england', '/threats?country=GB'],
])('runs several filters at once: %s', async ([typed, href]) => {
  const { router, user } = await openPalette()
  await user.keyboard(`${typed}{Enter}`)
  await waitFor(() => expect(router.state.location.href).toBe(href))
})

test('searches for a text with a colon that names no filter, and for none that does', async () => {
  answerFromStore()
  const { user, field } = await openPalette()
  await user.paste('cve: 2026')
  expect(await screen.findByRole('option', { name: /Northwind/ })).toBeVisible()
  expect(requests).toEqual(['?q=cve%3A+2026'])

  await user.clear(field)
  await user.paste('country: atlantis severity: high')
  expect(screen.queryByRole('group', { name: 'Filters' })).toBeNull()
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(requests).toHaveLength(1)
})

test('searches threats in the query language, and with a fault not at all', async () => {
  const { router, user, field } = await openPalette()
  await user.keyboard('(hospital OR klinik) severity:>=hgih')
  expect(screen.queryByRole('group', { name: 'Search' })).toBeNull()
  await user.clear(field)
  await user.keyboard('(hospital OR klinik) -university')
  expect(screen.queryByRole('group', { name: 'Filters' })).toBeNull()
  await user.click(
    screen.getByRole('option', { name: 'Search threats for (hospital OR klinik) -university' }),
  )
  await waitFor(() => expect(router.state.location.search).toEqual({ q: '(hospital OR klinik) -university' }))
})

test('finds a country and changes the theme', async () => {
  const { router, user } = await openPalette()
  await user.keyboard('germany{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/countries/DE'))

  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox'), 'dark{Enter}')
  expect(document.documentElement.dataset.theme).toBe('dark')
})

test('finds threats in the window, with what is hidden in their names made visible', async () => {
  answerFromStore()
  const { router, user } = await openPalette()
  // At once: on a slow machine a pause between two keys is a search of its own.
  await user.paste('northwind')
  const option = await screen.findByRole('option', { name: /Northwind/ })
  expect(within(option).getByRole('img', { name: /U\+202E/ })).toBeVisible()
  expect(requests).toEqual(['?q=northwind'])

  await user.click(option)
  await waitFor(() => expect(router.state.location.href).toBe('/threats/t-1?set=v1'))
})

test('sends no request that could cost a call while no threats are stored', async () => {
  answerFromStore()
  fakeBff.use(http.get('/bff/source', () => HttpResponse.json(SOURCE)))
  const { user } = await openPalette()
  await user.keyboard('northwind')
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(requests).toEqual([])
})

test('shows the keys on a page that has none of its own', async () => {
  const { user } = renderPage('/nowhere')
  await screen.findByRole('heading', { level: 1 })
  await user.keyboard('?')
  expect(await screen.findByRole('dialog', { name: 'Keys on every page' })).toBeVisible()
})

test('keeps the command that was chosen when results arrive before it', async () => {
  let answer = () => {}
  const found = new Promise<void>((resolve) => {
    answer = resolve
  })
  answerFromStore()
  fakeBff.use(
    http.get('/bff/actors', async () => {
      await found
      return HttpResponse.json(makeActorList([makeActor('Germline')]))
    }),
  )
  const { user, active } = await openPalette()
  await user.keyboard('germ')
  await screen.findByRole('option', { name: /^Germany/ })
  await user.keyboard('{ArrowDown}')
  const chosen = active()?.textContent

  answer()

  expect(await screen.findByRole('option', { name: 'Germline' })).toBeVisible()
  expect(active()?.textContent).toBe(chosen)
})

test('opens again though the browser reports the closing before late', async () => {
  const { user } = await openPalette()
  const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name: 'Go to…' })
  // Escape: the browser sends `cancel`, closes, and sends `close` in a later task.
  fireEvent(dialog, new Event('cancel', { cancelable: true }))
  dialog.open = false
  await user.keyboard('{Control>}k{/Control}')
  expect(screen.getByRole('combobox')).toBeVisible()
  fireEvent(dialog, new Event('close'))

  expect(screen.getByRole('combobox')).toBeVisible()
})
