import { type Arrangement, orderOf } from '#contract/bff/arrangement.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'
import { describeValues, type Shown } from './view-state.ts'

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
