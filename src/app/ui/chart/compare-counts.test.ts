import { expect, test } from 'vitest'
import { compareCounts } from './compare-counts.ts'

test.each([
  [112, 100, 'up', '12 %', '12 % more so far than in the same time before'],
  [50, 100, 'down', '50 %', '50 % fewer so far than in the same time before'],
  [1001, 1000, 'up', '<1 %', '<1 % more so far than in the same time before'],
  [130, 10, 'up', '×13', 'so far 13 times as many as in the same time before'],
  [0, 3, 'down', '100 %', '100 % fewer so far than in the same time before'],
  [3, 0, 'new', 'new', 'none in the same time before'],
  [0, 0, 'same', 'same', 'so far as many as in the same time before'],
])('says of %i after %i that it is %s', (count, previous, kind, short, words) => {
  expect(compareCounts({ count, previous })).toEqual({ kind, short, words })
})

test('shows “no comparison” if the earlier count is unknown', () => {
  expect(compareCounts(null)).toMatchObject({ kind: 'unknown', words: 'no comparison' })
})
