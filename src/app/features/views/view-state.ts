import { type Arrangement, orderOf } from '#contract/bff/arrangement.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'

/** The view in an address: an id, `all` if the user chose no view, or nothing. */
export type RequestedView = string | undefined

/** Filter and layout of the feed. */
export type Shown = { filter: View['filter']; arrangement?: View['arrangement'] }

/** The view that the feed has to take over: the one an address names without a filter, or else one's default. */
export function viewToOpen(
  requested: RequestedView,
  { filter, arrangement }: Shown,
  views: readonly View[],
): View | null {
  if (!isEmpty(filter)) return null
  const view = views.find(({ id, isDefault }) => (requested === undefined ? isDefault : id === requested))
  // A view of all threats is open once its columns are there, or those of the address.
  const isOpen = isEmpty(view?.filter) && !(isEmpty(arrangement) && !isEmpty(view?.arrangement))
  return view && !(view.id === requested && isOpen) ? view : null
}

export function isEmpty(values: Values = {}): boolean {
  return describeValues(values) === '[]'
}

type Values = Readonly<Record<string, string | readonly string[] | undefined>>

/** The same for the same values, in whichever order. */
export function describeValues(values: Values): string {
  return JSON.stringify(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value.length > 0)
      .map(([name, value]) => [name, [value].flat().toSorted()])
      .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
  )
}

/** Returns true if the feed differs from the saved view in filter or layout. */
export function isChanged(view: View, { filter, arrangement }: Shown): boolean {
  return isOtherFilter(view, filter) || describe(view.arrangement ?? {}) !== describe(arrangement ?? {})
}

/** Returns true if the filters differ. The order of values does not matter. */
export function isOtherFilter(view: View, filter: ThreatFilter): boolean {
  return describeValues(view.filter) !== describeValues(filter)
}

/** A default that is left out equals an explicit one. The order of columns matters. */
function describe(arrangement: Arrangement): string {
  const {
    sort = 'published',
    group = null,
    groupOrder = 'value',
    columns = [],
    density = 'comfortable',
    rows = 'cases',
  } = arrangement
  return JSON.stringify([sort, orderOf(arrangement), group, groupOrder, columns, density, rows])
}
