import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

const ENDED = /^Your session ended, here or in another tab\./

test('a session that ends while a page stands leads to sign-in, says so, and leads back', async () => {
  const { router, user } = renderPage('/nowhere?a=1')
  await screen.findByRole('button', { name: /account of/ })

  fakeBff.use(http.get('/bff/*', () => problem('signed_out', 401)))
  router.options.context.queryClient.refetchQueries()
  expect(await screen.findByText(ENDED)).toBeVisible()

  fakeBff.resetHandlers()
  fakeBff.use(
    http.post('/bff/sign-in', () => HttpResponse.json(SESSION)),
    http.get('/bff/session', () => HttpResponse.json(SESSION)),
  )
  await user.type(screen.getByLabelText('Email'), 'ada@lantern.example')
  await user.type(screen.getByLabelText('Password'), 'correct horse')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByRole('heading', { name: 'There is no such page' })
  expect(router.state.location.href).toBe('/nowhere?a=1')
})

test('a first visit ends no session', async () => {
  fakeBff.use(http.get('/bff/*', () => problem('signed_out', 401)))
  renderPage('/nowhere')
  await screen.findByRole('heading', { name: 'Sign in to Lantern' })
  expect(screen.queryByText(ENDED)).not.toBeInTheDocument()
})
