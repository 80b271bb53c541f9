import { expect, test } from 'vitest'
import { createDictionaries, isOvergrown, toRows } from './index-rows.ts'

/** A record of so many words, none of which another has. */
function wordy(id: string, count: number) {
  const searchedText = Array.from({ length: count }, (_, at) => `${id}x${at}`).join(' ')
  return { id, at: 0, terms: [], searchedText }
}

test('words that no record holds any more are a reason to load anew, once there are many', () => {
  const dictionaries = createDictionaries()
  toRows(dictionaries, [wordy('first', 60_000)])
  dictionaries.tokensAtLoad = dictionaries.tokens.words.length
  expect(isOvergrown(dictionaries)).toBe(false)
  toRows(dictionaries, [wordy('later', 150_000)])
  expect(isOvergrown(dictionaries)).toBe(false)
  toRows(dictionaries, [wordy('last', 50_000)])
  expect(isOvergrown(dictionaries)).toBe(true)
})
