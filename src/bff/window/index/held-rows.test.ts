import { expect, test } from 'vitest'
import { createWords, isOvergrown, toRows } from './held-rows.ts'

/** A record of so many words, none of which another has. */
function wordy(id: string, count: number) {
  const searchedText = Array.from({ length: count }, (_, at) => `${id}x${at}`).join(' ')
  return { id, at: 0, terms: [], searchedText }
}

test('words that no record holds any more are a reason to load anew, once there are many', () => {
  const words = createWords()
  toRows(words, [wordy('first', 60_000)])
  words.tokensAtLoad = words.tokens.words.length
  expect(isOvergrown(words)).toBe(false)
  toRows(words, [wordy('later', 150_000)])
  expect(isOvergrown(words)).toBe(false)
  toRows(words, [wordy('last', 50_000)])
  expect(isOvergrown(words)).toBe(true)
})
