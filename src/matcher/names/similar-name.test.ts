import { expect, test } from 'vitest'
import { findPartKeys, isSimilar, partKeys } from './similar-name.ts'

test.each([
  ['okapilane', 'okapilane', true],
  ['okapilane', 'okapilan', true],
  ['okapilane', 'okapilaen', true],
  ['okapilane', 'kapilane', true],
  ['okapilane', 'okaplan', false],
  ['okapilane', 'okapizane', true],
  ['okapilane', 'zkapizane', false],
  ['okapi', 'okapj', false],
  ['okapilane2', 'okapilane3', false],
  ['okapilanefreight', 'okapilnaefrieght', true],
  ['okapilanefreight', 'kapilanefreigh', true],
  ['okapilanefreight', 'kapilnaefreigh', false],
  ['a'.repeat(64), 'a'.repeat(66), true],
  ['a'.repeat(65), 'a'.repeat(65), false],
])('“%s” is similar to “%s”: %s', (one, other, expected) => {
  expect(isSimilar(one, other)).toBe(expected)
  expect(isSimilar(other, one)).toBe(expected)
})

test('finds a name by each letter that is inserted, deleted or replaced, however long it is', () => {
  const letters = 'qwertzuiopasdfghjklyxcvbnm'.repeat(3)
  for (let length = 8; length <= 64; length++) {
    const name = letters.slice(0, length)
    const keys = new Set(partKeys(name))
    const isFound = (other: string) => findPartKeys(other).some((key) => keys.has(key))
    for (let at = 0; at < length; at++) {
      const [before, behind] = [name.slice(0, at), name.slice(at + 1)]
      // A name of 65 letters is compared with none.
      const longer = length < 64 ? [`${before}1${name.charAt(at)}${behind}`] : []
      for (const other of [`${before}1${behind}`, ...longer, ...(length > 8 ? [before + behind] : [])])
        expect(isFound(other), other).toBe(true)
    }
  }
})

test('few others have a key of a name', () => {
  const nameOf = (at: number) => `okapi${(at * 7_919).toString(36)}lane${(at * 104_729).toString(36)}`
  const keys = new Set(Array.from({ length: 1_000 }, (_, at) => nameOf(at)).flatMap(partKeys))
  const others = Array.from({ length: 1_000 }, (_, at) => `zebu${(at * 15_485_863).toString(36)}gnu`)
  expect(others.filter((other) => findPartKeys(other).some((key) => keys.has(key))).length).toBeLessThan(20)
})
