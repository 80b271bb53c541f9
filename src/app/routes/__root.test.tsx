import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test, vi } from 'vitest'
import { fakeBff, problem, SESSION, SOURCE } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const openAccount = async (user: ReturnType<typeof renderPage>['user']) => {
  await user.click(await screen.findByRole('button', { name: /account of Ada Example/ }))
  return screen.getByRole('dialog', { name: 'Account' })
}

test('shows the navigation on a page that does not exist', async () => {
  renderPage('/nowhere')

  expect(await screen.findByRole('heading', { level: 1, name: 'There is no such page' })).toBeVisible()
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute('href', '#main')
  expect(within(screen.getByRole('navigation')).getByRole('link', { name: 'Threats' })).toBeVisible()
  expect(document.title).toBe('Page not found · Lantern')
})

test('shows the navigation on a page that failed, which the user can retry', async () => {
  // React and the router report what an error boundary catches.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  let isDown = true
  fakeBff.use(
    http.get('/bff/session', () =>
      isDown
        ? problem('internal', 500, { title: 'Lantern stumbled', requestId: 'r-42' })
        : HttpResponse.json(SESSION),
    ),
  )
  const { user } = renderPage('/nowhere')

  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('Lantern stumbled')
  expect(alert).toHaveTextContent('Request r-42')
  expect(screen.getByRole('navigation')).toBeVisible()

  isDown = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'There is no such page' })).toBeVisible()
})

test('shows who is signed in', async () => {
  const { user } = renderPage('/nowhere')
  const account = await openAccount(user)
  expect(await within(account).findByText('ada@lantern.example')).toBeVisible()
  expect(within(account).getByText('analyst')).toBeVisible()
})

test('remembers the theme', async () => {
  const { user } = renderPage('/nowhere')
  await openAccount(user)
  await user.click(await screen.findByRole('radio', { name: 'Dark' }))

  expect(document.documentElement.dataset.theme).toBe('dark')
  expect(localStorage.getItem('lantern.preferences')).toContain('"theme":"dark"')

  await user.click(screen.getByRole('radio', { name: 'System' }))
  expect(document.documentElement.dataset).not.toHaveProperty('theme')
})

test('finds a time zone by its city, by keyboard alone', async () => {
  const { user } = renderPage('/nowhere')
  await openAccount(user)
  await user.click(await screen.findByRole('button', { name: /Time zone UTC/ }))
  const search = await screen.findByRole('combobox', { name: 'Find a zone' })

  expect(search).toHaveFocus()
  await user.keyboard('new york{Enter}')
  expect(localStorage.getItem('lantern.preferences')).toContain('America/New_York')
  expect(screen.queryByRole('combobox')).toBeNull()
})

test('signs out, everywhere by choice, and clears its cache', async () => {
  let requests: unknown
  let isSignedIn = true
  fakeBff.use(
    http.post('/bff/sign-out', async ({ request }) => {
      requests = await request.json()
      isSignedIn = false
      return new HttpResponse(null, { status: 204 })
    }),
    http.get('/bff/*', () => (isSignedIn ? undefined : problem('signed_out', 401))),
  )
  const { router, left, user } = renderPage('/nowhere')
  await openAccount(user)
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))

  await waitFor(() => expect(left).toEqual(['/sign-in']))
  expect(requests).toEqual({ everywhere: true })
  await waitFor(() => expect(router.options.context.queryClient.getQueryData(['source'])).toBeUndefined())
})

test('says so when signing out failed', async () => {
  fakeBff.use(http.post('/bff/sign-out', () => problem('internal', 500, { title: 'Lantern stumbled' })))
  const { user } = renderPage('/nowhere')
  await openAccount(user)
  await user.click(await screen.findByRole('button', { name: 'Sign out' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Not signed out. Lantern stumbled.')
})

test('stays signed in when the vendor refuses the key', async () => {
  fakeBff.use(http.get('/bff/source', () => problem('key_invalid', 503)))
  const { router } = renderPage('/nowhere')
  expect(await screen.findByRole('heading', { name: 'There is no such page' })).toBeVisible()
  expect(router.state.location.pathname).toBe('/nowhere')
})

test('shows what is left of the calls, in each limit period of each API', async () => {
  const budget = (limit: number, remaining: number) => ({
    limit,
    remaining,
    resetsAt: '2099-01-01T00:00:00Z',
  })
  const budgets = (minute: number, day: number) => ({ minute: budget(5, minute), day: budget(100, day) })
  fakeBff.use(
    http.get('/bff/source', () =>
      HttpResponse.json({
        ...SOURCE,
        isDemo: true,
        sets: {
          v1: { ...SOURCE.sets.v1, budgets: budgets(4, 64) },
          earlier: { ...SOURCE.sets.earlier, budgets: budgets(2, 7) },
        },
        window: {
          status: 'filling',
          from: '2026-11-06T00:00:00Z',
          to: '2026-11-21T00:00:00Z',
          threats: 1234,
          lastReadAt: '2026-11-21T00:00:00Z',
          trouble: 'The API is not answering.',
        },
        trialExpiresAt: '2099-02-01T00:00:00Z',
      }),
    ),
  )
  const { user } = renderPage('/nowhere')
  await user.click(await screen.findByRole('button', { name: /7 calls left today, 2 now$/ }))

  expect(screen.getByText('Trouble reading threats.')).toBeInTheDocument()
  const panel = screen.getByRole('dialog', { name: 'Calls left' })
  await within(panel).findByText('64 of 100 today')
  expect(panel).toHaveTextContent('4 of 5 this minute')
  expect(panel).toHaveTextContent('7 of 100 today')
  expect(panel).toHaveTextContent('trial runs until 1 Feb 2099')
  expect(panel).toHaveTextContent('1,234 threats, available without API calls')
  expect(panel).toHaveTextContent('50 % of 30 days')
  expect(panel).toHaveTextContent('The API is not answering.')
  expect(screen.getByRole('complementary', { name: 'State of the data' })).toHaveTextContent('Demo data')
})

test('shows how much Lantern stores, and why it stores nothing older', async () => {
  const window = {
    ...SOURCE.window,
    status: 'complete',
    from: '2025-10-17T00:00:00Z',
    to: '2026-11-21T00:00:00Z',
    threats: 20_000,
    beyond: 'planWindow',
  }
  const history = { days: 400, records: 300_000 }
  fakeBff.use(http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, window, history })))
  const { user } = renderPage('/nowhere')
  await user.click(await screen.findByRole('button', { name: /calls/i }))
  const panel = screen.getByRole('dialog')
  await within(panel).findByText(/20,000 threats/)
  expect(panel).toHaveTextContent('Nothing older is stored: the plan of the vendor reaches no further back.')
  expect(panel).toHaveTextContent('Lantern keeps threats of the last 400 days, at most 300,000 of them.')
})

test('does not call a window complete that lacks records', async () => {
  const total = { said: 420, read: 409 }
  const window = { ...SOURCE.window, status: 'partial', missing: { unreadable: null, total, notes: [] } }
  fakeBff.use(http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, window })))
  const { user } = renderPage('/nowhere')
  await user.click(await screen.findByRole('button', { name: /calls/i }))
  const panel = screen.getByRole('dialog')
  expect(await within(panel).findByText(/^Not complete/)).toBeVisible()
  expect(panel).toHaveTextContent('The vendor says 420 threats, and 409 were read.')
  expect(panel).not.toHaveTextContent('Complete')
})

test('the focus goes to the heading of the page that is opened, but not on the first', async () => {
  const { user, router } = renderPage('/nowhere')
  await screen.findByRole('heading', { name: 'There is no such page' })
  expect(document.body).toHaveFocus()

  await user.click(within(screen.getByRole('navigation')).getByRole('link', { name: 'Actors' }))
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Actors' })).toHaveFocus())
  router.history.back()
  await waitFor(() => expect(screen.getByRole('heading', { name: 'There is no such page' })).toHaveFocus())
})

test('uses the singular for one call', async () => {
  const day = { limit: 100, remaining: 1, resetsAt: '2099-01-01T00:00:00Z' }
  const v1 = { ...SOURCE.sets.v1, budgets: { minute: null, day } }
  fakeBff.use(http.get('/bff/source', () => HttpResponse.json({ ...SOURCE, sets: { ...SOURCE.sets, v1 } })))
  renderPage('/nowhere')
  expect(await screen.findByRole('button', { name: '1 call left today' })).toBeVisible()
})
