import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readPreferences } from '#app/ui/preferences.ts'
import { type Profile, profileChangeSchema } from '#contract/bff/profile.ts'
import { AUDIT_EVENT, BOB } from '#test/fixtures/settings-fixtures.ts'
import { fakeBff, PROFILE, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

function signInAsAdmin() {
  signInAs('admin')
  fakeBff.use(
    http.get('/bff/users', () => HttpResponse.json({ users: [BOB] })),
    http.get('/bff/feed-addresses', () => HttpResponse.json({ addresses: [] })),
  )
}

test('everyone has a profile; the rest is for admins', async () => {
  renderPage('/settings?tab=users')
  expect(await screen.findByText('Only admins see Users')).toBeVisible()
  expect(screen.getByText(/^Admins add users here and change their roles\./)).toBeVisible()
  const tabs = within(screen.getByRole('navigation', { name: 'Settings' })).getAllByRole('link')
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['Profile'])
})

const STORED: Profile['preferences'] = {
  theme: 'light',
  timeZone: 'Europe/Berlin',
  hasLetterKeys: true,
  countries: [],
  industries: [],
}

test.for([
  { when: 'the account is requested', answersAfterChoice: 'get' },
  { when: 'an earlier choice is saved', answersAfterChoice: 'put' },
])('what is chosen while $when stays chosen, and is saved', async ({ answersAfterChoice }) => {
  const sent: unknown[] = []
  const hold = Promise.withResolvers<void>()
  fakeBff.use(
    http.get('/bff/profile', async () => {
      if (answersAfterChoice === 'get') await hold.promise
      return HttpResponse.json({ ...PROFILE, preferences: STORED })
    }),
    http.put('/bff/profile', async ({ request }) => {
      const change = profileChangeSchema.parse(await request.json())
      sent.push(change.preferences?.theme)
      await hold.promise
      return HttpResponse.json({ ...PROFILE, ...change })
    }),
  )
  const { user } = renderPage('/nowhere')
  await user.click(await screen.findByRole('button', { name: /account of Ada Example/ }))
  if (answersAfterChoice === 'put') {
    await waitFor(() => expect(readPreferences().theme).toBe('light'))
    await user.click(screen.getByRole('radio', { name: 'System' }))
    await waitFor(() => expect(sent).toEqual(['system']))
  }
  await user.click(await screen.findByRole('radio', { name: 'Dark' }))
  hold.resolve()

  await waitFor(() => expect(sent.at(-1)).toBe('dark'))
  expect(readPreferences().theme).toBe('dark')
})

test('what is chosen before the page is idle stays chosen, and is saved', async () => {
  const idle = Promise.withResolvers<void>()
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('requestIdleCallback', (run: () => void) => void idle.promise.then(run))
  let sent: unknown
  fakeBff.use(
    http.get('/bff/profile', () => HttpResponse.json({ ...PROFILE, preferences: STORED })),
    http.put('/bff/profile', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(PROFILE)
    }),
  )
  const { user } = renderPage('/nowhere')
  await user.click(await screen.findByRole('button', { name: /account of Ada Example/ }))
  await user.click(await screen.findByRole('radio', { name: 'Dark' }))
  idle.resolve()
  await waitFor(() => expect(sent).toMatchObject({ preferences: { theme: 'dark' } }))
  expect(readPreferences().theme).toBe('dark')
})

test('what is chosen goes to the account', async () => {
  let sent: unknown
  fakeBff.use(
    http.get('/bff/profile', () =>
      HttpResponse.json({
        ...PROFILE,
        preferences: STORED,
      }),
    ),
    http.put('/bff/profile', async ({ request }) => {
      sent = await request.json()
      return HttpResponse.json(PROFILE)
    }),
  )
  const { user } = renderPage('/settings')
  expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Europe/Berlin' })).toBeVisible()
  expect(document.documentElement.dataset.theme).toBe('light')

  await user.type(await screen.findByLabelText('My countries'), 'germany,{Enter}narnia{Enter}')
  await user.type(screen.getByLabelText('My industries'), 'Healthcare{Enter}')

  // Whoever types slowly has it saved in steps.
  await waitFor(() =>
    expect(sent).toMatchObject({ preferences: { countries: ['DE'], industries: ['Healthcare'] } }),
  )
  await screen.findByText('Saved to your account.')
  expect(screen.getByText(/no country has this name/)).toBeVisible()
  expect(localStorage.getItem('lantern.preferences')).toContain('"countries":["DE"]')
})

test('shows at the field why a password was not changed', async () => {
  fakeBff.use(
    http.put('/bff/profile/password', () =>
      problem('bad_request', 400, { fields: [{ name: 'current', reason: 'This is not your password.' }] }),
    ),
  )
  const { user } = renderPage('/settings')
  await user.type(await screen.findByLabelText('Current password'), 'wrong')
  await user.type(screen.getByLabelText('New password'), 'short')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  expect(screen.getByLabelText('New password')).toHaveAccessibleDescription('Use 12 characters or more.')

  await user.type(screen.getByLabelText('New password'), ' but long enough now')
  await user.click(screen.getByRole('button', { name: 'Change password' }))
  await waitFor(() =>
    expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription(
      'This is not your password.',
    ),
  )
})

test('an admin adds a user and gets the link once', async () => {
  signInAsAdmin()
  let sent: unknown
  const url = 'http://localhost:4173/sign-in#password=abc'
  fakeBff.use(
    http.post('/bff/users', async ({ request }) => {
      sent = await request.json()
      const link = { url, expiresAt: '2026-11-24T00:00:00Z' }
      return HttpResponse.json({ user: { ...BOB, email: 'eve@lantern.example' }, link }, { status: 201 })
    }),
  )
  const { user } = renderPage('/settings?tab=users')
  await user.click(await screen.findByRole('button', { name: 'Add user' }))
  await user.type(await screen.findByLabelText('Email'), 'eve@lantern.example')
  await user.selectOptions(screen.getByLabelText('Role'), 'admin')
  await user.click(screen.getByRole('button', { name: 'Add and get a link' }))

  expect(await screen.findByLabelText('Link')).toHaveValue(url)
  expect(sent).toEqual({ email: 'eve@lantern.example', role: 'admin' })
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByLabelText('Link')).toBeNull()
})

test('says why the last admin stays one, until something else is done', async () => {
  signInAsAdmin()
  fakeBff.use(
    http.put('/bff/users/u-2', () =>
      problem('conflict', 409, { title: 'This is the last admin', detail: 'Make someone else an admin.' }),
    ),
    http.post('/bff/users/u-2/sign-out', () => HttpResponse.json({ user: BOB })),
  )
  const { user } = renderPage('/settings?tab=users')
  await user.selectOptions(await screen.findByLabelText('Role of bob@lantern.example'), 'analyst')
  expect(await screen.findByText(/This is the last admin/)).toHaveRole('alert')
  expect(screen.getByLabelText('Role of bob@lantern.example')).toHaveValue('viewer')

  await user.click(screen.getByRole('button', { name: 'Actions for bob@lantern.example' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out everywhere' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})

test('the audit log shows who changed what, filtered by the address', async () => {
  signInAsAdmin()
  const requests: string[] = []
  fakeBff.use(
    http.get('/bff/audit', ({ request }) => {
      const { search } = new URL(request.url)
      requests.push(search)
      const untrusted = {
        ...AUDIT_EVENT,
        id: '6',
        action: 'view-created',
        objectName: '<b>x</b>',
        before: null,
        after: null,
      }
      return HttpResponse.json({
        events: search.includes('cursor') ? [untrusted] : [AUDIT_EVENT],
        nextCursor: search.includes('cursor') ? null : '7',
      })
    }),
  )
  localStorage.setItem('lantern.preferences', JSON.stringify({ timeZone: 'Asia/Tokyo' }))
  const { router, user } = renderPage('/settings?tab=audit&who=ada&action=nonsense&from=2026-11-01')
  const events = await screen.findByRole('region', { name: 'Audit events' })
  expect(requests).toEqual(['?who=ada&from=2026-11-01&timeZone=Asia%2FTokyo'])
  const row = within(events).getByRole('row', { name: /User changed/ })
  expect(row).toHaveTextContent('ada@lantern.example')
  expect(row).toHaveTextContent(/Role: viewer →became admin/)

  await user.click(screen.getByRole('button', { name: 'Show older' }))
  expect(await within(events).findByText('<b>x</b>')).toBeVisible()

  await user.selectOptions(screen.getByLabelText('What'), 'Sign-in failed')
  await waitFor(() =>
    expect(router.state.location.search).toMatchObject({ action: 'sign-in-failed', who: 'ada' }),
  )
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  await waitFor(() => expect(router.state.location.href).toBe('/settings?tab=audit'))
})

test('the audit log shows what an earlier version recorded', async () => {
  signInAsAdmin()
  const refused = { action: 'origin-refused', actor: null, objectName: null, object: null, before: null }
  const after = { times: 40, first: '2026-11-21T12:00:00.000Z', last: '2026-11-21T12:00:59.000Z' }
  fakeBff.use(
    http.get('/bff/audit', () =>
      HttpResponse.json({ events: [{ ...AUDIT_EVENT, ...refused, after }], nextCursor: null }),
    ),
  )
  renderPage('/settings?tab=audit&action=origin-refused')
  const row = await screen.findByRole('row', { name: /Origin refused/ })
  expect(row).toHaveTextContent(/Times: 40First: 2026-11-21 12:00:00 UTC/)
})
