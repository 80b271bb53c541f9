import { useEffect, useRef, useState } from 'react'
import { nextPaint } from '#app/ui/when-idle.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { type ChangeSearch, SELECTED_MAX_COUNT, type ThreatSearch } from '../address/threat-search.ts'

type Selected = { selected?: ThreatSearch['selected'] }

/** The ticked threats of a list. They stand in the address. */
export type Selection = {
  ids: ReadonlySet<string>
  toggle(id: string): void
  /** All rows from the one that was ticked last. */
  toggleThrough(id: string): void
  toggleLoaded(): void
  clear(): void
}

export function selectionOf(
  { selected }: Selected,
  threats: readonly Threat[],
  onChange: ChangeSearch,
): Selection {
  const change = (how: (before: Selected) => Selected) => onChange(how, { replace: true, keepScroll: true })
  const loaded = () => threats.map(({ id }) => id)
  return {
    ids: new Set(selected),
    toggle: (id) => change((before) => toggleSelected(before, id)),
    toggleThrough: (id) => change((before) => toggleThrough(before, id, loaded())),
    toggleLoaded: () => change((before) => toggleLoaded(before, loaded())),
    clear: () => change(() => ({ selected: undefined })),
  }
}

/** The change that ticks a threat, or unticks it. */
function toggleSelected({ selected = [] }: Selected, id: string): Selected {
  return selected.includes(id) ? without(selected, [id]) : withAlso(selected, [id])
}

/** The same for all rows between the one that was ticked last and this one. */
export function toggleThrough({ selected = [] }: Selected, id: string, loaded: readonly string[]): Selected {
  const at = loaded.indexOf(id)
  const last = loaded.indexOf(selected.findLast((each) => loaded.includes(each)) ?? id)
  // From the last one on, so that the nearest are ticked where not all fit, and this one is the last from now on.
  const rows = last <= at ? loaded.slice(last, at + 1) : loaded.slice(at, last + 1).toReversed()
  return selected.includes(id) ? without(selected, rows) : withAlso(selected, rows)
}

/** Ticks the loaded rows, as many as fit; where no more can be ticked, unticks them. */
export function toggleLoaded({ selected = [] }: Selected, loaded: readonly string[]): Selected {
  const after = withAlso(selected, loaded)
  return after.selected?.length === selected.length ? without(selected, loaded) : after
}

function withAlso(selected: readonly string[], ids: readonly string[]): Selected {
  return { selected: [...new Set([...selected, ...ids])].slice(0, SELECTED_MAX_COUNT) }
}

function without(selected: readonly string[], ids: readonly string[]): Selected {
  const left = new Set(ids)
  const others = selected.filter((id) => !left.has(id))
  return { selected: others.length > 0 ? others : undefined }
}

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
