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
      fault:
        'The file cannot be decoded as UTF-8, UTF-16 or Latin-1 text. Save the table as CSV UTF-8 (comma-separated), and choose that file.',
    }
  const { text, delimiter } = findDelimiter(decoded.text)
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, preview: ROWS_MAX_COUNT + 1 })
  const quote = errors.find(({ type }) => type === 'Quotes')
  if (quote)
    return {
      fault: `A quotation mark in row ${count((quote.row ?? 0) + 1)} does not end correctly, so that the rows after it cannot be read. Correct the file, and choose it again.`,
    }
  // The line break at the end of a file begins no row.
  const rows = data.at(-1)?.some(Boolean) ? data : data.slice(0, -1)
  if (rows.length > ROWS_MAX_COUNT)
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

type Decoded = { text: string; encoding: string }
const PROBED_BYTES = 4_096

/** Null for bytes that are no text, such as a spreadsheet's own format. */
function decode(bytes: Uint8Array): Decoded | null {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return { text: decodeAs('utf-16le', bytes), encoding: 'UTF-16' }
  if (a === 0xfe && b === 0xff) return { text: decodeAs('utf-16be', bytes), encoding: 'UTF-16' }
  const probed = bytes.subarray(0, PROBED_BYTES)
  if (probed.includes(0)) return decodeUnmarked(bytes, probed)
  const text = decodeAs('utf-8', bytes)
  const broken = countOf(text, /\uFFFD/g)
  // A cut or mixed file stays UTF-8, and each of its broken lines is refused by itself.
  if (broken <= countOf(text, /[\u00A0-\uFFFC]/g)) return { text, encoding: 'UTF-8' }
  // Every byte is a letter of it, so nothing can fail.
  return { text: decodeAs('windows-1252', bytes), encoding: 'Latin-1' }
}

/** UTF-16 without a byte order mark. Every other byte of most of its letters is zero, and no other byte is. */
function decodeUnmarked(bytes: Uint8Array, probed: Uint8Array): Decoded | null {
  const zerosAt = (parity: number) => probed.filter((byte, at) => byte === 0 && at % 2 === parity).length
  const [even, odd] = [zerosAt(0), zerosAt(1)]
  if ((even > 0 && odd > 0) || even + odd < probed.length / 8) return null
  try {
    const encoding = odd > 0 ? 'utf-16le' : 'utf-16be'
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding: 'UTF-16' }
  } catch {
    return null
  }
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function decodeAs(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes)
}
