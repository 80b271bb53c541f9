import { type Arrangement, COLUMNS, type Column } from '#contract/bff/arrangement.ts'

export type ChosenColumn = {
  name: Column
  /** Null where it takes its share of the room. */
  widthRem: number | null
}

/** An address may hold any width of two digits: one row with a column of 99 rem would show nothing else. */
export const WIDTH_REM = { min: 4, max: 24 } as const

/** Where nobody has chosen. */
const USUAL = COLUMNS.filter((column) => column !== 'industry').map(
  (name): ChosenColumn => ({ name, widthRem: null }),
)

/** The columns of an address in their order, each once: the first of several. */
export function readColumns(given: Arrangement['columns']): readonly ChosenColumn[] {
  if (!given) return USUAL
  const byName = new Map<Column, ChosenColumn>()
  for (const text of given) {
    const [prefix, width] = text.split('.')
    const name = COLUMNS.find((column) => column === prefix)
    if (name && !byName.has(name)) byName.set(name, { name, widthRem: width ? withinRange(width) : null })
  }
  return [...byName.values()]
}

/** What an address holds of them: nothing, where they are the usual ones. */
export function writeColumns(chosen: readonly ChosenColumn[]): Arrangement['columns'] {
  const written = write(chosen)
  return written.join() === write(USUAL).join() ? undefined : written
}

function write(chosen: readonly ChosenColumn[]): string[] {
  return chosen.map(({ name, widthRem }) => (widthRem === null ? name : `${name}.${widthRem}`))
}

function withinRange(width: string): number {
  return Math.min(WIDTH_REM.max, Math.max(WIDTH_REM.min, Number(width)))
}

/** Shows a column at its usual place, or hides it. One stays: rows of titles alone are no list. */
export function toggleColumn(chosen: readonly ChosenColumn[], name: Column): readonly ChosenColumn[] {
  const others = chosen.filter((column) => column.name !== name)
  if (others.length < chosen.length) return others.length > 0 ? others : chosen
  const next = chosen.findIndex((column) => COLUMNS.indexOf(column.name) > COLUMNS.indexOf(name))
  return chosen.toSpliced(next < 0 ? chosen.length : next, 0, { name, widthRem: null })
}

/** Takes a column to a place among all that are shown. */
export function placeColumn(
  chosen: readonly ChosenColumn[],
  name: Column,
  at: number,
): readonly ChosenColumn[] {
  const column = chosen.find((each) => each.name === name)
  return column ? chosen.filter((each) => each !== column).toSpliced(at, 0, column) : chosen
}

/** Changes places with the column before it, or after it. */
export function moveColumn(
  chosen: readonly ChosenColumn[],
  name: Column,
  step: 1 | -1,
): readonly ChosenColumn[] {
  const at = chosen.findIndex((column) => column.name === name)
  const column = chosen[at]
  const other = chosen[at + step]
  return column && other ? chosen.with(at, other).with(at + step, column) : chosen
}

export function resizeColumn(
  chosen: readonly ChosenColumn[],
  name: Column,
  widthRem: number | null,
): readonly ChosenColumn[] {
  return chosen.map((column) => (column.name === name ? { name, widthRem } : column))
}
