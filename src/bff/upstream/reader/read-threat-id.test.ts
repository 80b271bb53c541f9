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
])('any user may request an id: %s', (id) => {
  expect(isPlainId(id)).toBe(true)
})

test.each(['', '.', '..', 'a/b', 'a b', 'ä', 'a%2f', 'a\n', '\na', 'x'.repeat(129), HASH])(
  'an unusual id is requested only if a list has named it: %j',
  (id) => {
    expect(isPlainId(id)).toBe(false)
  },
)

test('an id too long for an address is stored with its hash, and restored for the vendor', () => {
  const id = 'x'.repeat(600)
  const read = readThreatId(id)
  expect(read).toEqual({ id: expect.stringMatching(/^sha256:[\da-f]{64}$/), fullId: id })
  expect(read && vendorIdOf(read)).toBe(id)
  expect(vendorIdOf({ id: 'thr_1' })).toBe('thr_1')
})

test('an id that cannot be stored in full cannot be requested', () => {
  for (const id of ['x'.repeat(70_000), 'a\0b', 'a\ud800']) {
    const read = readThreatId(id)
    expect(read?.fullId?.length).toBeLessThanOrEqual(65_536)
    expect(read && vendorIdOf(read)).toBeNull()
  }
})

test('a shown id has a replacement character for each character that no database stores', () => {
  expect(['\0', 'a\0b', 'a\ud800'].map((id) => readThreatId(id)?.fullId)).toEqual([
    '\ufffd',
    'a\ufffdb',
    'a\ufffd',
  ])
})
