import { expect, test } from 'vitest'
import { isPlainId, readThreatId, vendorIdOf } from './read-threat-id.ts'

const HASH = `sha256:${'0a'.repeat(32)}`

test.each([
  'thr_1',
  '41',
  'a.b',
  '...',
  '.a',
  'urn:uuid:6e8bc430~x',
  '-',
  'x'.repeat(128),
  `${HASH}0`,
  `x${HASH}`,
])('an id may be asked for by anybody: %s', (id) => {
  expect(isPlainId(id)).toBe(true)
})

test.each(['', '.', '..', 'a/b', 'a b', 'ä', 'a%2f', 'a\n', '\na', 'x'.repeat(129), HASH])(
  'an id is asked for only where a list has named it: %j',
  (id) => {
    expect(isPlainId(id)).toBe(false)
  },
)

test('an id that no address can hold is kept beside its hash, and is the vendor’s own again', () => {
  const id = 'x'.repeat(600)
  const read = readThreatId(id)
  expect(read).toEqual({ id: expect.stringMatching(/^sha256:[\da-f]{64}$/), fullId: id })
  expect(read && vendorIdOf(read)).toBe(id)
  expect(vendorIdOf({ id: 'thr_1' })).toBe('thr_1')
})

test('an id of which not all can be kept cannot be asked for', () => {
  for (const id of ['x'.repeat(70_000), 'a\0b', 'a\ud800']) {
    const read = readThreatId(id)
    expect(read?.fullId?.length).toBeLessThanOrEqual(65_536)
    expect(read && vendorIdOf(read)).toBeNull()
  }
})

test('what is shown of an id has a mark in the place of what no database takes', () => {
  expect(['\0', 'a\0b', 'a\ud800'].map((id) => readThreatId(id)?.fullId)).toEqual([
    '\ufffd',
    'a\ufffdb',
    'a\ufffd',
  ])
})
