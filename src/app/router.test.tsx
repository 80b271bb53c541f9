import { screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { expect, test } from 'vitest'
import { fakeBff, problem, SESSION } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

test('a session that ends opens the sign-in page once, with the address and the user', async () => {
  const { router, left } = renderPage('/nowhere?a=1')
  await screen.findByRole('button', { name: /account of/ })

  fakeBff.use(http.get('/bff/*', () => problem('signed_out', 401)))
  const { queryClient } = router.options.context
  queryClient.refetchQueries()
  await waitFor(() => expect(left).toHaveLength(1))
  const address = new URL(left[0] ?? '', 'http://localhost')
  expect(address.pathname).toBe('/sign-in')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    reason: 'session_ended',
    for: SESSION.user.id,
    redirect: '/nowhere?a=1',
  })
  expect(queryClient.getQueryData(['source'])).toBeUndefined()
  expect(document.documentElement.dataset).toHaveProperty('left')
})

test('a first visit ends no session: it leads to sign-in and back, query string included', async () => {
  fakeBff.use(http.get('/bff/*', () => problem('signed_out', 401)))
  const { left } = renderPage('/nowhere?country=DE&country=FR&q=a%20b')
  await waitFor(() => expect(left).toHaveLength(1))
  const { searchParams } = new URL(left[0] ?? '', 'http://localhost')
  const redirect = searchParams.get('redirect') ?? ''
  expect([...searchParams.keys()]).toEqual(['redirect'])
  expect([...new URL(redirect, 'http://localhost').searchParams]).toEqual([
    ['country', 'DE'],
    ['country', 'FR'],
    ['q', 'a b'],
  ])
  expect(screen.queryByRole('button', { name: /account of/ })).toBeNull()
})
