import { expect, test } from 'vitest'
import { compareCounts } from './compare-counts.ts'

test.each([
  [112, 100, 'up', '12 %', '12 % more than before'],
  [50, 100, 'down', '50 %', '50 % fewer than before'],
  [1001, 1000, 'up', '<1 %', '<1 % more than before'],
  [130, 10, 'up', '×13', '13 times as many as before'],
  [0, 3, 'down', '100 %', '100 % fewer than before'],
  [3, 0, 'new', 'new', 'none before'],
  [0, 0, 'same', '–', 'as many as before'],
])('says of %i after %i that it is %s', (now, previous, kind, short, words) => {
  expect(compareCounts(now, previous)).toEqual({ kind, short, words })
})

test('compares with nothing where nobody knows what was before', () => {
  expect(compareCounts(7, null)).toMatchObject({ kind: 'unknown', words: 'no comparison' })
})
