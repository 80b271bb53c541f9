import { expect, test } from 'vitest'
import { createDictionaries, type IndexRows, mergeRows, toRows } from './index-rows.ts'
import { addRows, countRows, type Postings, postingsOf, preparePostings, termPostingsOf } from './postings.ts'
import { RowSet } from './row-set.ts'
import { atOnce } from './slices.ts'

/** More than are looked at in one go; each third row says a word twice. */
const COUNT = 4_001

function makeRows(): IndexRows {
  const facts = Array.from({ length: COUNT }, (_, at) => ({
    id: `t${at}`,
    at: COUNT - at,
    terms: at % 2 === 0 ? ['actor:even'] : ['actor:odd', 'actor:any'],
    searchedText: at % 3 === 0 ? 'third word third' : 'word',
  }))
  return toRows(createDictionaries(), facts)
}

function rowsWith({ dictionaries, count }: IndexRows, word: string, postings: Postings) {
  const number = dictionaries.tokens.get(word) ?? dictionaries.terms.get(word) ?? 0
  const found = addRows(postings, [number], new RowSet(count))
  const rows = Array.from({ length: count }, (_, row) => row).filter((row) => found.has(row))
  expect(countRows(postings, number)).toBe(rows.length)
  return { found: rows }
}

test.each([false, true])(
  'lists the rows of each word and term, each once: prepared %s',
  async (isPrepared) => {
    const rows = makeRows()
    if (isPrepared) await preparePostings(rows)
    const all = Array.from({ length: COUNT }, (_, row) => row)
    expect(rowsWith(rows, 'word', postingsOf(rows)).found).toEqual(all)
    expect(rowsWith(rows, 'third', postingsOf(rows)).found).toEqual(all.filter((row) => row % 3 === 0))
    expect(rowsWith(rows, 'actor:even', termPostingsOf(rows)).found).toEqual(
      all.filter((row) => row % 2 === 0),
    )
    expect(rowsWith(rows, 'actor:any', termPostingsOf(rows)).found).toEqual(
      all.filter((row) => row % 2 === 1),
    )
    expect(postingsOf(rows)).toBe(postingsOf(rows))
    expect(termPostingsOf(rows)).toBe(termPostingsOf(rows))
  },
)

test('is made beforehand without keeping the event loop', async () => {
  const rows = makeRows()
  let turns = 0
  const immediate = () => {
    turns++
    pending = setImmediate(immediate)
  }
  let pending = setImmediate(immediate)
  await preparePostings(rows)
  clearImmediate(pending)
  expect(turns).toBeGreaterThanOrEqual(4)
})

test('are those of the rows that there are, however much came, was replaced and went since', async () => {
  let rows = makeRows()
  const before = rows
  await preparePostings(rows)
  for (let change = 0; change < 5; change++) {
    // Each replaces some, adds others with a word of its own, and takes the oldest row away.
    const changed = Array.from({ length: 400 }, (_, at) => ({
      id: at % 2 === 0 ? `t${100 * change + at}` : `new${change}.${at}`,
      at: COUNT - at + 0.5,
      terms: [],
      searchedText: `change${change}`,
    }))
    rows = atOnce(mergeRows(rows, toRows(rows.dictionaries, changed), change + 2))
    await preparePostings(rows)
    expect(rowsWith(rows, `change${change}`, postingsOf(rows)).found).toHaveLength(400)
    const left = rows.ids.flatMap((id, row) => (/^t\d+$/.test(id) && isOld(rows, row) ? row : []))
    expect(rowsWith(rows, 'word', postingsOf(rows)).found).toEqual(left)
  }
  expect(rowsWith(before, 'word', postingsOf(before)).found).toHaveLength(COUNT)
})

function isOld({ slots }: IndexRows, row: number): boolean {
  return (slots[row] ?? 0) < COUNT
}
