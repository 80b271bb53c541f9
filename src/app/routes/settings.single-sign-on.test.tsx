import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { User } from '#contract/bff/user.ts'
import { BOB } from '#test/fixtures/settings-fixtures.ts'
import { fakeBff, PROFILE, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

function offer(ways: { hasPasswordSignIn: boolean }, profile = {}) {
  fakeBff.use(
    http.get('/bff/sign-in/options', () =>
      HttpResponse.json({ hasSession: true, hasSingleSignOn: true, ...ways }),
    ),
    http.get('/bff/profile', () => HttpResponse.json({ ...PROFILE, ...profile })),
  )
}

test('unlinks an account that has a password too', async () => {
  let isLinked = true
  offer({ hasPasswordSignIn: true })
  fakeBff.use(
    http.get('/bff/profile', () => HttpResponse.json({ ...PROFILE, hasSingleSignOn: isLinked })),
    http.delete('/bff/profile/sso', () => {
      isLinked = false
      return new HttpResponse(null, { status: 204 })
    }),
  )
  const { user } = renderPage('/settings?tab=profile')
  await user.click(await screen.findByRole('button', { name: 'Unlink' }))
  expect(await screen.findByRole('button', { name: 'Link single sign-on' })).toBeVisible()
})

test.for([
  [{ hasPasswordSignIn: true }, { hasPassword: false }],
  [{ hasPasswordSignIn: false }, { hasPassword: true }],
] as const)('offers no Unlink for the only sign-in method: %j, %j', async ([ways, profile]) => {
  offer(ways, { ...profile, hasSingleSignOn: true })
  renderPage('/settings?tab=profile')
  expect(await screen.findByText(/It is the only way in/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Unlink' })).toBeNull()
  expect(screen.queryByLabelText('Current password')).toBeNull()
})

test('says why an account was not linked', async () => {
  offer({ hasPasswordSignIn: true })
  fakeBff.use(
    http.post('/bff/profile/sso', () =>
      problem('sign_in_unavailable', 503, { title: 'Single sign-on is not available', detail: 'Try later.' }),
    ),
  )
  const { user } = renderPage('/settings?tab=profile')
  await user.click(await screen.findByRole('button', { name: 'Link single sign-on' }))
  expect(await screen.findByText(/Single sign-on is not available/)).toHaveRole('alert')
})

const PROVIDED: User = {
  ...BOB,
  hasPassword: false,
  hasSingleSignOn: true,
  breakGlassUntil: '2026-11-22T12:15:00Z',
}

test('without passwords an admin adds people without links, and sees who has a break-glass link', async () => {
  offer({ hasPasswordSignIn: false })
  signInAs('admin')
  fakeBff.use(
    http.get('/bff/feed-addresses', () => HttpResponse.json({ addresses: [] })),
    http.get('/bff/users', () => HttpResponse.json({ users: [PROVIDED] })),
    http.post('/bff/users', () => HttpResponse.json({ user: PROVIDED, link: null }, { status: 201 })),
  )
  const { user } = renderPage('/settings?tab=users')
  expect(await screen.findByText('Break-glass link')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Actions for bob@lantern.example' }))
  expect(screen.queryByRole('menuitem', { name: /password|link/ })).toBeNull()
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Add user' }))
  await user.type(await screen.findByLabelText('Email'), 'eve@lantern.example')
  await user.click(screen.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Add' })).toBeNull())
  expect(screen.queryByLabelText('Link')).toBeNull()
})
