import { type Arrangement, COLUMNS, type Column } from '#contract/bff/arrangement.ts'

/** The default columns. */
const USUAL = COLUMNS.filter((column) => column !== 'industry')

/** The columns of an address in their order. */
export function readColumns(given: Arrangement['columns']): readonly Column[] {
  return given ?? USUAL
}

/** Returns the columns for an address: undefined for the default ones. */
export function writeColumns(chosen: readonly Column[]): Arrangement['columns'] {
  return chosen.join() === USUAL.join() ? undefined : [...chosen]
}

/** Shows a column at its usual place, or hides it. One stays: rows of titles alone are no list. */
export function toggleColumn(chosen: readonly Column[], name: Column): readonly Column[] {
  const others = chosen.filter((column) => column !== name)
  if (others.length < chosen.length) return others.length > 0 ? others : chosen
  const next = chosen.findIndex((column) => COLUMNS.indexOf(column) > COLUMNS.indexOf(name))
  return chosen.toSpliced(next < 0 ? chosen.length : next, 0, name)
}

/** Changes places with the column before it, or after it. */
export function moveColumn(chosen: readonly Column[], name: Column, step: 1 | -1): readonly Column[] {
  const at = chosen.indexOf(name)
  const other = chosen[at + step]
  return at >= 0 && other ? chosen.with(at, other).with(at + step, name) : chosen
}
