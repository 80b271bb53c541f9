import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'

/** What an address says of a view: the id of one, `all` for none on purpose, or nothing. */
export type AskedView = string | undefined

/** The view whose filter the feed has to take over: the one an address names alone, or else one's default. */
export function viewToOpen(asked: AskedView, filter: ThreatFilter, views: readonly View[]): View | null {
  if (!isEmpty(filter)) return null
  const view = views.find(({ id, isDefault }) => (asked === undefined ? isDefault : id === asked))
  return view && !(view.id === asked && isEmpty(view.filter)) ? view : null
}

/** Whether the feed shows something else than the view was saved with. The order of values does not matter. */
export function isChanged(view: View, filter: ThreatFilter): boolean {
  return describe(view.filter) !== describe(filter)
}

export function isEmpty(filter: ThreatFilter): boolean {
  return describe(filter) === '[]'
}

function describe(filter: ThreatFilter): string {
  return JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined && value.length > 0)
      .map(([name, value]) => [name, [value].flat().toSorted()])
      .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
  )
}
