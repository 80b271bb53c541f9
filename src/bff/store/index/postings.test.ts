import { expect, test } from 'vitest'
import { createDictionaries, type IndexRows, toRows } from './index-rows.ts'
import { postingsOf, preparePostings, termPostingsOf } from './postings.ts'

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

function rowsWith(
  { dictionaries, count }: IndexRows,
  word: string,
  { starts, rows }: ReturnType<typeof postingsOf>,
) {
  const number = dictionaries.tokens.get(word) ?? dictionaries.terms.get(word) ?? 0
  const found = rows.slice(starts[number], starts[number + 1])
  return { count, found: Array.from(found) }
}

test.each([false, true])(
  'tells for each word and term the rows that have it, each once: made before %s',
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
