import Papa from 'papaparse'
import { count } from '#app/format/count.ts'

const ROWS_MAX_COUNT = 100_000
const COLUMNS_MAX_COUNT = 200

/** The rows of a file as texts, or why it cannot be read. */
export type ReadRows = { rows: string[][]; encoding: string } | { fault: string }

/** Reads a CSV file of any usual encoding and separator, with line breaks inside quotation marks. */
export function readRows(bytes: Uint8Array): ReadRows {
  const decoded = decode(bytes)
  if (decoded === null)
    return {
      fault: 'This is not a text file. Save the table as CSV (comma-separated), and choose that file.',
    }
  const { text, delimiter } = findDelimiter(decoded.text)
  const { data: rows, errors } = Papa.parse<string[]>(text, { delimiter, preview: ROWS_MAX_COUNT + 1 })
  const quote = errors.find(({ type }) => type === 'Quotes')
  if (quote)
    return {
      fault: `A quotation mark in row ${count((quote.row ?? 0) + 1)} does not end correctly, so that the rows after it cannot be read. Correct the file, and choose it again.`,
    }
  if (rows.length > ROWS_MAX_COUNT && rows[ROWS_MAX_COUNT]?.some(Boolean))
    return { fault: `The file has more than ${count(ROWS_MAX_COUNT)} rows. Split it into several files.` }
  if (rows.some((row) => row.length > COLUMNS_MAX_COUNT))
    return {
      fault: `The file has more than ${count(COLUMNS_MAX_COUNT)} columns. Remove those that are not needed.`,
    }
  if (!rows.some((row) => row.some((cell) => cell.trim() !== ''))) return { fault: 'The file is empty.' }
  return { rows, encoding: decoded.encoding }
}

const DELIMITERS = [',', ';', '\t', '|']

/** The separator that gives the first rows the most cells. Spreadsheets may name theirs in a first line, `sep=;`. */
function findDelimiter(whole: string): { text: string; delimiter: string } {
  const named = /^\uFEFF?sep=(.)\r?\n/.exec(whole)
  if (named?.[1]) return { text: whole.slice(named[0].length), delimiter: named[1] }
  const cellsBy = (delimiter: string) =>
    Papa.parse<string[]>(whole, { delimiter, preview: 20, skipEmptyLines: 'greedy' }).data.reduce(
      (cells, row) => cells + row.length,
      0,
    )
  const most = DELIMITERS.toSorted((a, b) => cellsBy(b) - cellsBy(a))
  return { text: whole, delimiter: most[0] ?? ',' }
}

/** Null for bytes that are no text, such as a spreadsheet's own format. */
function decode(bytes: Uint8Array): { text: string; encoding: string } | null {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return { text: decodeAs('utf-16le', bytes), encoding: 'UTF-16' }
  if (a === 0xfe && b === 0xff) return { text: decodeAs('utf-16be', bytes), encoding: 'UTF-16' }
  if (bytes.subarray(0, 4_096).includes(0)) return null
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    // Every byte is a letter of it, so nothing can fail.
    return { text: decodeAs('windows-1252', bytes), encoding: 'Latin-1' }
  }
}

function decodeAs(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes)
}
