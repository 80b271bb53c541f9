import { screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, test } from 'vitest'
import { renderPart } from '#test/support/app/render-part.tsx'
import { Dialog } from './dialog.tsx'

test('opens and takes the focus before the browser draws its content', () => {
  const seen: unknown[] = []
  function Page() {
    // Runs after the page has changed and before the browser draws it.
    useLayoutEffect(() => {
      const dialog = screen.getByRole<HTMLDialogElement>('dialog', { name: 'The key' })
      seen.push(dialog.open, document.activeElement?.tagName)
    }, [])
    return (
      <Dialog isOpen onClose={() => {}} title="The key">
        <input aria-label="Key" data-first-focus />
      </Dialog>
    )
  }
  renderPart(<Page />)
  expect(seen).toEqual([true, 'INPUT'])
})
