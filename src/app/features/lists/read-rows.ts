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
  const { data: rows, errors } = Papa.parse<string[]>(decoded.text, {
    delimitersToGuess: [',', ';', '\t', '|'],
    preview: ROWS_MAX_COUNT + 1,
  })
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
