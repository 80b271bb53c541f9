import { expect, test } from 'vitest'
import { createRandom } from './random.ts'

const LETTERS = ['a', 'b', 'c', 'd'] as const

test('draws the same for the same seed and something else for another', () => {
  const draw = (seed: number) => Array.from({ length: 20 }, createRandom(seed).next)
  expect(draw(1)).toEqual(draw(1))
  expect(draw(1)).not.toEqual(draw(2))
})

test('draws whole numbers from all of a range, evenly', () => {
  const random = createRandom(3)
  const counts = new Map<number, number>()
  for (let draw = 0; draw < 4000; draw++) {
    const number = random.between(-1, 2)
    counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([-1, 0, 1, 2])
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120)
})

test('picks the first item most when skewed, and the last one too', () => {
  const random = createRandom(4)
  const counts = { a: 0, b: 0, c: 0, d: 0 }
  for (let draw = 0; draw < 4000; draw++) counts[random.pickSkewed(LETTERS)] += 1
  expect(counts.a).toBeGreaterThan(counts.b)
  expect(counts.c).toBeGreaterThan(counts.d)
  expect(counts.d).toBeGreaterThan(0)
})

test('samples the requested number of items, each once, in order', () => {
  const random = createRandom(5)
  const seen = new Set<string>()
  for (let draw = 0; draw < 200; draw++) {
    const sample = random.sample(LETTERS, 2)
    expect(sample).toHaveLength(2)
    expect(sample).toEqual(sample.toSorted())
    seen.add(sample.join(''))
  }
  expect(seen).toEqual(new Set(['ab', 'ac', 'ad', 'bc', 'bd', 'cd']))
})
