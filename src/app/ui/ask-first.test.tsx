import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPart } from '#test/support/app/render-part.tsx'
import { AskFirst } from './ask-first.tsx'
import { Menu, MenuItem } from './menu.tsx'

test('shows a confirmation with Cancel focused, and acts only after the second press', async () => {
  const onConfirm = vi.fn()
  const { user } = renderPart(
    <AskFirst label="Delete…" warning="Nothing brings it back." confirm="Delete" onConfirm={onConfirm} />,
  )
  await user.click(screen.getByRole('button', { name: 'Delete…' }))
  expect(screen.getByText('Nothing brings it back.')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus())
  await user.keyboard('{Enter}')
  expect(screen.queryByText('Nothing brings it back.')).not.toBeInTheDocument()
  expect(onConfirm).not.toHaveBeenCalled()

  await user.click(screen.getByRole('button', { name: 'Delete…' }))
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  expect(onConfirm).toHaveBeenCalledOnce()
  expect(screen.queryByText('Nothing brings it back.')).not.toBeInTheDocument()
})

test('the confirmation of a menu item replaces the menu, which holds only items', async () => {
  const onConfirm = vi.fn()
  const { user } = renderPart(
    <>
      <Menu label="Actions" renderTrigger={(props) => <button {...props}>Open</button>}>
        <MenuItem asks="question">Reset…</MenuItem>
      </Menu>
      <AskFirst
        id="question"
        label="Reset"
        warning="They are signed out."
        confirm="Reset now"
        onConfirm={onConfirm}
      />
    </>,
  )
  expect(screen.queryByRole('button', { name: 'Reset' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Open' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Reset…' }))
  expect(screen.queryByRole('menu')).not.toBeInTheDocument()
  expect(screen.getByRole('dialog', { name: 'Reset' })).toHaveTextContent('They are signed out.')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus())
  await user.click(screen.getByRole('button', { name: 'Reset now' }))
  expect(onConfirm).toHaveBeenCalledOnce()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})
