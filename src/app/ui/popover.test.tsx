import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPart } from '#test/support/app/render-part.tsx'
import { Popover } from './popover.tsx'

function renderPopover() {
  return renderPart(
    <>
      <Popover
        label="Account"
        renderTrigger={(props) => (
          <button type="button" {...props}>
            Open
          </button>
        )}
      >
        <button type="button">First</button>
        <button type="button">Last</button>
      </Popover>
      <button type="button">Behind</button>
    </>,
  )
}

test('closes once the focus has left it for something else', async () => {
  const { user } = renderPopover()
  await user.click(screen.getByRole('button', { name: 'Open' }))
  await user.click(await screen.findByRole('button', { name: 'First' }))
  await user.tab()
  expect(screen.getByRole('dialog', { name: 'Account' })).toBeVisible()

  await user.tab()

  expect(screen.getByRole('button', { name: 'Behind' })).toHaveFocus()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('a second press of its button closes it, wherever the focus is', async () => {
  const { user } = renderPopover()
  await user.click(screen.getByRole('button', { name: 'Open' }))
  await user.click(await screen.findByRole('button', { name: 'First' }))

  await user.click(screen.getByRole('button', { name: 'Open' }))

  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})
