import { withoutFormula } from '#contract/formula.ts'
import { cleanText, entryCollector, noEntries, type ReadEntries } from './collect-entries.ts'
import type { Columns, ColumnUse } from './column-uses.ts'

const CRITICAL = new Set(
  'critical high kritisch hoch critique haute elevee critico critica alto alta tier1'.split(' '),
)

/** Reads entries from the rows of a file, by the use of each column. Rows count from 1, with the heads. */
export function readEntries(rows: readonly string[][], { uses, hasHead }: Columns): ReadEntries {
  const read = noEntries()
  const collect = entryCollector(read)
  for (const [at, row] of rows.entries()) {
    if ((hasHead && at === 0) || row.every((cell) => cell.trim() === '')) continue
    const cellsOf = (use: ColumnUse) => row.filter((_, column) => uses[column] === use).map(unguarded)
    collect({
      line: at + 1,
      whole: row.join(', '),
      name: cellsOf('name').map(cleanText).join(''),
      domains: cellsOf('domain')
        .flatMap((cell) => cell.split(/[\s,;|]+/))
        .map(cleanText)
        .filter(Boolean),
      note: cellsOf('note').map(cleanText).join(''),
      key: cellsOf('key').map(cleanText).join(''),
      isCritical: cellsOf('weight').some((cell) => CRITICAL.has(plainWord(cell))),
    })
  }
  return read
}

/** Exports put an apostrophe before what a spreadsheet would run. It is no part of the text. */
function unguarded(cell: string): string {
  return cell.startsWith("'") && withoutFormula(cell.slice(1)) === cell ? cell.slice(1) : cell
}

function plainWord(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}
