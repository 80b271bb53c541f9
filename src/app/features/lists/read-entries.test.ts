import { expect, test } from 'vitest'
import { toCsv } from '#app/format/csv.ts'
import { changeUse, guessColumns } from './column-uses.ts'
import { readEntries } from './read-entries.ts'
import { readRows } from './read-rows.ts'

const OKAPI = { name: 'Okapi Ltd', domains: ['okapi.example'], note: null, key: null, weight: 'normal' }

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Little endian, with its byte order mark. */
function utf16Of(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
}

function swapBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.from(bytes).swap16())
}

function rowsOf(text: string | Uint8Array): string[][] {
  const read = readRows(typeof text === 'string' ? bytesOf(text) : text)
  if ('fault' in read) throw new Error(read.fault)
  return read.rows
}

function read(text: string | Uint8Array) {
  const rows = rowsOf(text)
  return readEntries(rows, guessColumns(rows))
}

test.each([
  ['commas', 'Supplier,Website\nOkapi Ltd,okapi.example', OKAPI],
  ['semicolons', 'Lieferant;Webseite\r\nOkapi Ltd;okapi.example', OKAPI],
  ['a line break at the end, as spreadsheets write it', 'Name;Website\r\nOkapi Ltd;okapi.example\r\n', OKAPI],
  ['a first line that names the separator', 'sep=;\r\nName;Website\r\nOkapi Ltd;okapi.example\r\n', OKAPI],
  ['tabs', 'Website\tSupplier name\nokapi.example\tOkapi Ltd', OKAPI],
  ['no heads', 'okapi.example,Okapi Ltd\nzebra.example,Zebra', OKAPI],
  ['a byte order mark', '\ufeffName,Domain\nOkapi Ltd,okapi.example', OKAPI],
  [
    'several domains in one cell, and in several columns',
    'Company;Domains;URL\nOkapi Ltd;b.example, a.example;c.example',
    { ...OKAPI, domains: ['a.example', 'b.example', 'c.example'] },
  ],
  [
    'a line break and a comma inside quotation marks',
    'Note,Company\n"first\nsecond, third",Okapi Ltd\n',
    { ...OKAPI, domains: [], note: 'first second, third' },
  ],
  [
    'reference and weight',
    'N°;Raison sociale;Criticité;Numéro\nx;Okapi Ltd;Critique;4711',
    { ...OKAPI, domains: [], key: '4711', weight: 'critical' },
  ],
  ['UTF-16', utf16Of('Name\tDomain\nÖkapi Ltd\tokapi.example'), { ...OKAPI, name: 'Ökapi Ltd' }],
  [
    'UTF-16 without a byte order mark',
    utf16Of('Name\tDomain\nÖkapi Ltd\tokapi.example').subarray(2),
    { ...OKAPI, name: 'Ökapi Ltd' },
  ],
  [
    'big-endian UTF-16 without a byte order mark',
    swapBytes(utf16Of('Name\tDomain\nÖkapi Ltd\tokapi.example').subarray(2)),
    { ...OKAPI, name: 'Ökapi Ltd' },
  ],
  [
    'Latin-1',
    new Uint8Array(Buffer.from('Firma;Domäne\nÖkapi Ltd;okapi.example', 'latin1')),
    { ...OKAPI, name: 'Ökapi Ltd' },
  ],
  ['a formula as plain text', 'Name\n=HYPERLINK(1)', { ...OKAPI, name: '=HYPERLINK(1)', domains: [] }],
  ['markup as plain text', 'Name\n<img src=x>', { ...OKAPI, name: '<img src=x>', domains: [] }],
  ['unseen characters', 'Name\n\u202eOk\u200bapi Ltd', { ...OKAPI, domains: [] }],
])('reads a file with %s', (_, file, expected) => {
  const { entries, refused } = read(file)
  expect(entries[0]).toEqual(expected)
  expect(refused).toEqual([])
})

test('names each row that is refused, repeated or reduced', () => {
  const { entries, refused, repeated, reduced } = read(
    'Name,Domain\nOkapi,192.0.2.1\n,\nHidden,abc.onion\nZebra,https://zebra.example:8443/about\nZEBRA,zebra.example\n"",""\n',
  )
  expect(entries.map(({ name }) => name)).toEqual(['Zebra'])
  expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
    [2, expect.stringContaining('IP address')],
    [4, expect.stringContaining('onion')],
  ])
  expect(repeated).toEqual([{ line: 6, name: 'ZEBRA' }])
  expect(reduced).toEqual([{ line: 5, text: 'https://zebra.example:8443/about', domain: 'zebra.example' }])
})

test('the line break at the end of a file is no row of it', () => {
  expect(rowsOf('Name\r\nOkapi Ltd\r\n')).toHaveLength(2)
  expect(rowsOf('Name\nOkapi Ltd')).toHaveLength(2)
})

test('refuses the lines of a UTF-8 file that cannot be decoded, and reads the others', () => {
  const file = new Uint8Array([...bytesOf('Name\nÖkapi Ltd\nGn'), 0xff, ...bytesOf('\nZébra')])
  const read = readRows(file)
  const rows = 'rows' in read ? read.rows : []
  const { entries, refused } = readEntries(rows, guessColumns(rows))
  expect(entries.map(({ name }) => name)).toEqual(['Ökapi Ltd', 'Zébra'])
  expect(refused).toMatchObject([{ line: 3, reason: expect.stringMatching(/could not be decoded/) }])
})

test.each([
  ['a spreadsheet', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), /cannot be decoded/],
  ['nothing', bytesOf(' \n\n'), /empty/],
  ['an open quotation mark', bytesOf('Name\nOkapi\n"Zebra\nGnu'), /row 3/],
  ['101 more columns than are read', bytesOf(`${'x,'.repeat(301)}\n`), /200 columns/],
  ['too many rows', bytesOf('x\n'.repeat(100_002)), /100,000 rows/],
])('refuses a file with %s', (_, file, fault) => {
  expect(readRows(file)).toEqual({ fault: expect.stringMatching(fault) })
})

test('reads 100,000 rows', () => {
  const rows = rowsOf('x,y\n'.repeat(100_000))
  expect(rows).toHaveLength(100_000)
})

test('a column takes its use from the one that had it, except for domains', () => {
  expect(changeUse(['name', 'none'], 1, 'name')).toEqual(['none', 'name'])
  expect(changeUse(['domain', 'none'], 1, 'domain')).toEqual(['domain', 'domain'])
})

test('reads what was guarded against formulas as it was', () => {
  expect(read(toCsv([['Name'], ['=SUM(1)'], ["'quoted"]])).entries.map(({ name }) => name)).toEqual([
    '=SUM(1)',
    "'quoted",
  ])
})
