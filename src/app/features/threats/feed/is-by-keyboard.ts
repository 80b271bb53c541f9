import type { MouseEvent } from 'react'

/**
 * Returns true if a button was pressed by a key. Otherwise a focus that moves to a text field opens a touch screen's
 * keyboard.
 */
export function isByKeyboard({ detail }: MouseEvent): boolean {
  return detail === 0
}
