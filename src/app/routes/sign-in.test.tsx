import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test, vi } from 'vitest'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const LINK_TOKEN = 'a'.repeat(43)

/** A BFF where nobody is signed in until a sign-in succeeds. */
function signedOut(
  signIn: (sent: unknown) => Response = () => HttpResponse.json(SESSION),
  { hasSingleSignOn = false, hasPasswordSignIn = true } = {},
) {
  let isSignedIn = false
  const answer = async ({ request }: { request: Request }) => {
    const response = signIn(await request.json())
    isSignedIn = response.ok
    return response
  }
  const guarded = () => (isSignedIn ? undefined : problem('signed_out', 401))
  fakeBff.use(
    http.post('/bff/sign-in', answer),
    http.post('/bff/sign-in/*', answer),
    http.post('/bff/sign-in/sso/*', answer),
    http.get('/bff/sign-in/options', () =>
      HttpResponse.json({ hasSession: isSignedIn, hasSingleSignOn, hasPasswordSignIn }),
    ),
    http.get('/bff/session', () => HttpResponse.json(isSignedIn ? SESSION : null)),
    http.get('/bff/*', guarded),
  )
}

async function fillIn(user: ReturnType<typeof renderPage>['user']) {
  await user.type(await screen.findByLabelText('Email'), 'ada@lantern.example')
  await user.type(screen.getByLabelText('Password'), 'correct horse')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

test('leads from any page to sign-in and back, query string included', async () => {
  signedOut()
  const { router, user } = renderPage('/nowhere?country=DE&country=FR&q=a%20b')

  expect(await screen.findByRole('heading', { level: 1, name: 'Sign in to Lantern' })).toBeVisible()
  expect(document.title).toBe('Sign in · Lantern')
  await fillIn(user)

  await screen.findByRole('heading', { name: 'There is no such page' })
  expect(router.state.location.pathname).toBe('/nowhere')
  expect(router.state.location.search).toEqual({ country: ['DE', 'FR'], q: 'a b' })
})

test.for([
  '//evil.example/x',
  '/\\evil.example',
  '/\t/evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '',
])('goes to a page of its own after a link with redirect=%s', async (redirect) => {
  signedOut()
  const { router, user } = renderPage(`/sign-in?${new URLSearchParams({ redirect })}`)
  await fillIn(user)
  await waitFor(() => expect(router.state.location.pathname).not.toBe('/sign-in'))
  expect(router.state.location.href).toMatch(/^\/(threats)?$/)
})

test('says what is wrong beside the form, and keeps what was typed', async () => {
  signedOut(() => problem('sign_in_failed', 401, { title: 'That email and password do not match' }))
  const { user } = renderPage('/sign-in')
  await fillIn(user)

  expect(await screen.findByRole('alert')).toHaveTextContent('That email and password do not match')
  expect(screen.getByLabelText('Email')).toHaveValue('ada@lantern.example')
  expect(screen.getByLabelText('Password')).toHaveValue('correct horse')
})

test('counts down after too many attempts', async () => {
  const retryAt = new Date(Date.now() + 90_000).toISOString()
  signedOut(() => problem('too_many_attempts', 429, { retryAt }))
  const { user } = renderPage('/sign-in')
  await fillIn(user)
  expect(await screen.findByRole('alert')).toHaveTextContent(/Try again in (90|89) s\./)
})

test('asks for what is missing before it asks the server', async () => {
  signedOut(() => {
    throw new Error('asked too early')
  })
  const { user } = renderPage('/sign-in')
  await user.type(await screen.findByLabelText('Email'), 'ada')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))

  expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(
    'Enter the email address of your account.',
  )
  expect(screen.getByLabelText('Password')).toBeInvalid()
})

test('redeems a one-time link once, and takes it out of the address', async () => {
  const redeemed = vi.fn()
  signedOut(() => {
    redeemed()
    return HttpResponse.json(SESSION)
  })
  const { router } = renderPage(`/sign-in?redirect=%2Fnowhere%3Fa%3D1#link=${LINK_TOKEN}`)

  await screen.findByRole('heading', { name: 'There is no such page' })
  expect(router.state.location.href).toBe('/nowhere?a=1')
  expect(redeemed).toHaveBeenCalledOnce()
})

test('explains a link that failed, with the form still there', async () => {
  signedOut(() => problem('sign_in_failed', 401, { title: 'This link was already used' }))
  const { router } = renderPage(`/sign-in#link=${LINK_TOKEN}`)

  expect(await screen.findByRole('alert')).toHaveTextContent('This link was already used')
  expect(screen.getByLabelText('Email')).toBeVisible()
  expect(router.state.location.href).toBe('/sign-in')
})

test('lets those who are signed in go on', async () => {
  const { router } = renderPage('/sign-in?redirect=%2Fnowhere')
  await screen.findByRole('heading', { name: 'There is no such page' })
  expect(router.state.location.pathname).toBe('/nowhere')
})

test.for([
  ['/sign-in', ['/bff/sign-in/options', '/bff/sign-in/second-step']],
  ['/threats?q=a', ['/bff/session', '/bff/sign-in/options', '/bff/sign-in/second-step']],
] as const)('asks nothing at %s that a signed-out browser is refused', async ([address, allowed]) => {
  const asked: string[] = []
  signedOut()
  fakeBff.events.on('request:start', ({ request }) => asked.push(new URL(request.url).pathname))
  renderPage(address)
  await screen.findByLabelText('Email')
  await waitFor(() => expect(asked).toContain('/bff/sign-in/second-step'))
  fakeBff.events.removeAllListeners()
  expect(new Set(asked)).toEqual(new Set(allowed))
})

test('a browser that was signed in lately asks for its page at once, and comes to sign-in all the same', async () => {
  signedOut()
  localStorage.setItem('lantern.session', '{"until":"2099-01-01T00:00:00Z","userId":"u-1"}')
  const { router } = renderPage('/nowhere?a=1')
  expect(await screen.findByLabelText('Email')).toBeVisible()
  expect(router.state.location.search).toEqual({ redirect: '/nowhere?a=1' })
  expect(localStorage.getItem('lantern.session')).toBeNull()
})

test('offers single sign-on where there is one, and says when it is not available', async () => {
  signedOut(() => problem('sign_in_unavailable', 503, { title: 'Single sign-on is not available' }), {
    hasSingleSignOn: true,
  })
  const { user } = renderPage('/sign-in')
  await user.click(await screen.findByRole('button', { name: 'Sign in with single sign-on' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Single sign-on is not available')
  expect(screen.getByLabelText('Email')).toBeVisible()
})

test('brings the provider’s answer to the server once, and goes on to where its reader was going', async () => {
  const sent = vi.fn()
  signedOut((body) => {
    sent(body)
    return HttpResponse.json({ ...SESSION, redirect: '/nowhere?a=1' })
  })
  const { router } = renderPage('/sign-in?code=c-1&state=s-1&session_state=x')

  await screen.findByRole('heading', { name: 'There is no such page' })
  expect(sent.mock.calls).toEqual([[{ state: 's-1', code: 'c-1' }]])
  expect(router.state.location.href).toBe('/nowhere?a=1')
})

test('explains why single sign-on failed, with the answer out of the address', async () => {
  signedOut(() => problem('sign_in_failed', 401, { detail: 'Your identity provider did not let you in.' }))
  const { router } = renderPage('/sign-in?error=access_denied&state=s-1')
  expect(await screen.findByRole('alert')).toHaveTextContent('did not let you in')
  expect(router.state.location.href).toBe('/sign-in')
})

test('without passwords there is single sign-on alone, also for whoever has a link to set one', async () => {
  signedOut(undefined, { hasSingleSignOn: true, hasPasswordSignIn: false })
  renderPage(`/sign-in#password=${LINK_TOKEN}`)
  expect(await screen.findByRole('button', { name: 'Sign in with single sign-on' })).toBeVisible()
  expect(screen.getByText(/There are no passwords here any more/)).toBeVisible()
  expect(screen.queryByLabelText(/Password|New password|Email/)).toBeNull()
  expect(screen.getByText(/npm run break-glass/)).toBeInTheDocument()
})

test('whoever could not link their account is told why, and goes on where they are signed in', async () => {
  fakeBff.use(
    http.post('/bff/sign-in/sso/finish', () =>
      problem('conflict', 409, { title: 'Not linked', detail: 'Unlink it first.' }),
    ),
  )
  renderPage('/sign-in?code=c-1&state=s-1')
  expect(await screen.findByRole('alert')).toHaveTextContent('Not linked')
  expect(screen.getByRole('link', { name: 'Back to your profile' })).toHaveAttribute(
    'href',
    '/settings?tab=profile',
  )
  expect(screen.queryByLabelText('Email')).toBeNull()
})

test('a link from an admin asks for a password, and signs in with it', async () => {
  const sent = vi.fn()
  signedOut((body) => {
    sent(body)
    return HttpResponse.json(SESSION)
  })
  const { router, user } = renderPage(`/sign-in?redirect=%2Fnowhere#password=${LINK_TOKEN}`)
  const field = await screen.findByLabelText('New password')
  await user.type(field, 'short{Enter}')
  expect(field).toHaveAccessibleDescription('Use 12 characters or more.')

  await user.type(field, ' but longer now{Enter}')
  await screen.findByRole('heading', { name: 'There is no such page' })
  expect(sent.mock.calls).toEqual([[{ token: LINK_TOKEN, password: 'short but longer now' }]])
  expect(router.state.location.href).toBe('/nowhere')
})
