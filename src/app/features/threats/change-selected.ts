import { SELECTED_MAX_COUNT, type ThreatSearch } from './threat-search.ts'

type Selection = Pick<ThreatSearch, 'selected'>

/** The change that ticks a threat, or unticks it. */
export function toggleSelected({ selected = [] }: Selection, id: string): Selection {
  return selected.includes(id) ? without(selected, [id]) : withAlso(selected, [id])
}

/** The same for all rows between the one that was ticked last and this one. */
export function toggleThrough(
  { selected = [] }: Selection,
  id: string,
  loaded: readonly string[],
): Selection {
  const at = loaded.indexOf(id)
  const last = loaded.indexOf(selected.findLast((each) => loaded.includes(each)) ?? id)
  // From the last one on, so that the nearest are ticked where not all fit, and this one is the last from now on.
  const rows = last <= at ? loaded.slice(last, at + 1) : loaded.slice(at, last + 1).toReversed()
  return selected.includes(id) ? without(selected, rows) : withAlso(selected, rows)
}

/** Ticks the loaded rows, as many as fit; where no more can be ticked, unticks them. */
export function toggleLoaded({ selected = [] }: Selection, loaded: readonly string[]): Selection {
  const after = withAlso(selected, loaded)
  return after.selected?.length === selected.length ? without(selected, loaded) : after
}

function withAlso(selected: readonly string[], ids: readonly string[]): Selection {
  return { selected: [...new Set([...selected, ...ids])].slice(0, SELECTED_MAX_COUNT) }
}

function without(selected: readonly string[], ids: readonly string[]): Selection {
  const left = new Set(ids)
  const others = selected.filter((id) => !left.has(id))
  return { selected: others.length > 0 ? others : undefined }
}
