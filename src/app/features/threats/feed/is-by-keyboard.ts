import type { MouseEvent } from 'react'

/** Whether a button was pressed by a key: a focus that moves to a text field brings a touch screen's keyboard otherwise. */
export function isByKeyboard({ detail }: MouseEvent): boolean {
  return detail === 0
}
