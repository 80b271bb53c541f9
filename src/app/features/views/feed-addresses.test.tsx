import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { FeedAddress } from '#contract/bff/view.ts'
import { FEED_ADDRESS } from '#test/fixtures/settings-fixtures.ts'
import { fakeBff, problem, signInAs } from '#test/support/app/fake-bff.ts'
import { renderPage } from '#test/support/app/render-page.tsx'

/** As the BFF keeps them. */
function serveAddresses(addresses: FeedAddress[]) {
  signInAs('admin')
  fakeBff.use(
    http.get('/bff/users', () => HttpResponse.json({ users: [] })),
    http.get('/bff/feed-addresses', () => HttpResponse.json({ addresses })),
    http.delete('/bff/views/:id/feed', ({ params }) => {
      addresses.splice(
        addresses.findIndex(({ viewId }) => viewId === params.id),
        1,
      )
      return new HttpResponse(null, { status: 204 })
    }),
  )
}

test('an admin sees who made which address, and ends it', async () => {
  serveAddresses([FEED_ADDRESS])
  const { user } = renderPage('/settings?tab=users')
  const row = within(await screen.findByRole('row', { name: /DDoS in Germany/ }))
  expect(row.getByText('Not shared')).toBeVisible()
  expect(row.getByText('bob@lantern.example')).toBeVisible()

  await user.click(row.getByRole('button', { name: 'Revoke the address of DDoS in Germany' }))
  await user.click(screen.getByRole('button', { name: 'Revoke address' }))
  expect(await screen.findByRole('heading', { name: '0 feed addresses' })).toBeVisible()
  expect(screen.queryByText('bob@lantern.example')).not.toBeInTheDocument()
})

test('says what was in the way of ending one', async () => {
  serveAddresses([FEED_ADDRESS])
  fakeBff.use(http.delete('/bff/views/:id/feed', () => problem('internal', 500)))
  const { user } = renderPage('/settings?tab=users')
  await user.click(await screen.findByRole('button', { name: 'Revoke the address of DDoS in Germany' }))
  await user.click(screen.getByRole('button', { name: 'Revoke address' }))
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map((each) => each.textContent)).toContainEqual(
      expect.stringMatching(/\w/),
    ),
  )
  expect(screen.getByText('bob@lantern.example')).toBeVisible()
})
