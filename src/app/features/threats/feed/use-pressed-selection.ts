import { useEffect, useRef, useState } from 'react'
import { nextPaint } from '#app/ui/next-paint.ts'
import { SELECTED_MAX_COUNT } from '../address/threat-search.ts'
import type { Selection } from './selection.ts'

const NONE: ReadonlyMap<string, boolean> = new Map()

/** A selection that shows a press at once: the page is drawn anew for the address only after that. */
export function usePressedSelection(selection: Selection): Selection {
  const { ids: given, toggle } = selection
  /** The rows of presses that the address does not have yet. */
  const waiting = useRef<string[]>([])
  /** True if rows are shown as selected once the address has them. */
  const [pressed, setPressed] = useState(NONE)
  useEffect(() => {
    setPressed((before) => {
      const due = [...before].filter(([id, isSelected]) => given.has(id) !== isSelected)
      return due.length < before.size ? new Map(due) : before
    })
  })

  const ids = new Set(given)
  for (const [id, isSelected] of pressed) {
    if (isSelected) ids.add(id)
    else ids.delete(id)
  }
  const settle = () => {
    for (const id of waiting.current.splice(0)) toggle(id)
  }
  // An action on the selection runs after every press before it.
  const afterAll = (change: () => void) => {
    settle()
    setPressed(NONE)
    change()
  }
  return {
    ids,
    async toggle(id) {
      const isSelected = !ids.has(id)
      if (isSelected && ids.size >= SELECTED_MAX_COUNT) return
      setPressed((before) => new Map(before).set(id, isSelected))
      waiting.current.push(id)
      await nextPaint()
      settle()
    },
    toggleThrough: (id) => afterAll(() => selection.toggleThrough(id)),
    toggleLoaded: () => afterAll(selection.toggleLoaded),
    clear: () => afterAll(selection.clear),
  }
}
