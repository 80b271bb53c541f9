import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LIST_ID, makeMatch } from '#test/fixtures/list-fixtures.ts'
import { aThreat } from '#test/fixtures/threat-fixtures.ts'
import { renderPage } from '#test/support/app/render-page.tsx'
import { serveList } from '#test/support/app/serve-list.ts'

test('sends a decision, and takes one back', async () => {
  const sent = serveList()
  const { user } = renderPage(`/lists/${LIST_ID}`)
  await user.click(await screen.findByRole('button', { name: /^Not us: this is not about Okapi Ltd: / }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    method: 'PUT',
    body: { decision: 'rejected', entryId: makeMatch().entryId },
  })
  expect(await screen.findByText(/^Marked as not us: .* and “Okapi Ltd”\.$/)).toHaveAttribute(
    'role',
    'status',
  )

  serveList({ matches: [makeMatch({ decision: 'rejected' })] })
  await user.click(screen.getByRole('button', { name: 'Not us' }))
  await user.click(await screen.findByRole('button', { name: /^Undo “Not us” of Okapi Ltd: / }))
  expect(await screen.findByText(/^Decision taken back: /)).toHaveAttribute('role', 'status')
  expect(screen.getByRole('button', { name: 'Not us' })).toHaveAttribute('aria-pressed', 'true')
})

test('shows what is left to confirm, at an address of its own', async () => {
  serveList({ matches: [] })
  const { user, router } = renderPage(`/lists/${LIST_ID}`)
  await user.click(await screen.findByRole('button', { name: 'To confirm' }))
  expect(await screen.findByText('Nothing is left to confirm')).toBeVisible()
  expect(router.state.location.search).toEqual({ show: 'to-confirm' })
})

test('keeps the focus of the keyboard on the row that was decided', async () => {
  serveList()
  const { user } = renderPage(`/lists/${LIST_ID}`)
  const confirm = await screen.findByRole('button', { name: /^Confirm that/ })
  serveList({ matches: [makeMatch({ decision: 'confirmed', certainty: 'certain' })] })
  confirm.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('button', { name: /^Undo the confirmation/ })).toHaveFocus())
  serveList()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('button', { name: /^Confirm that/ })).toHaveFocus())
})

test('moves the focus to the next row when a row disappears, and to the heading after the last', async () => {
  const rows = [makeMatch(), makeMatch({ threat: aThreat('threat-2', { title: 'The other one' }) })]
  serveList({ matches: rows })
  const { user } = renderPage(`/lists/${LIST_ID}`)
  const [button] = await screen.findAllByRole('button', { name: /^Not us:/ })
  serveList({ matches: rows.slice(1) })
  button?.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.getByRole('button', { name: /^Confirm.*The other one/ })).toHaveFocus())
  serveList({ matches: [] })
  await user.keyboard('{Tab}{Enter}')
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Threats' })).toHaveFocus())
})
