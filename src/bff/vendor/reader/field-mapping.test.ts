import { describe, expect, test } from 'vitest'
import { fieldMappingSchema, nameFields } from './field-mapping.ts'
import { readActorList } from './read-actor-list.ts'
import { readCountryStatistics } from './read-country-statistics.ts'
import { THREAT_NAMES } from './read-threat.ts'
import { readThreatList } from './read-threat-list.ts'

const PINS = {
  actor: { mentions: 'stats.hits', name: 'Count' },
  country: { victims: 'threats' },
  threat: { severity: 'grade', title: 'meta.head_line' },
}
const pinnedNames = () => nameFields(fieldMappingSchema.parse(PINS))

test('takes a pinned name before every other, in any spelling', () => {
  const body = { data: [{ name: 'x', count: 'LockBit', mentions: 3, stats: { hits: 9, mentions: 4 } }] }
  expect(readActorList(body, pinnedNames().actor)?.actors[0]).toMatchObject({ name: 'LockBit', mentions: 9 })
})

test('gives a pinned name to no other member', () => {
  const country = readCountryStatistics('DE', { threats: 5 }, { nowMs: 0, names: pinnedNames().country })
  expect(country).toMatchObject({ threats: null, victims: 5 })
})

test('pins names of threats, one object deeper too', () => {
  const record = { id: 'a', severity: 'low', grade: 'high', title: 'other', meta: { head_line: 'The title' } }
  const list = readThreatList('v1', { data: [record] }, pinnedNames().threat)
  expect(list?.threats[0]).toMatchObject({ severity: 'high', title: 'The title' })
})

test('a name that is not given pins nothing', () => {
  expect(nameFields({ threat: { severity: undefined } }).threat).toEqual(THREAT_NAMES)
})

test('falls back on the usual names where the pinned one is absent', () => {
  expect(readActorList([{ name: 'Play', mentions: 2 }], pinnedNames().actor)?.actors[0]).toMatchObject({
    name: 'Play',
    mentions: 2,
  })
})

describe('a mapping of fields', () => {
  test.each([
    ['nothing', {}],
    [
      'a name of each kind',
      { threat: { severity: 'grade' }, actor: { mentions: 'stats.hits' }, country: { trend: 'd' } },
    ],
    ['a name of 128 characters', { threat: { title: 'x'.repeat(128) } }],
  ])('may hold %s', (_, mapping) => {
    expect(fieldMappingSchema.safeParse(mapping).success).toBe(true)
  })

  test.each([
    ['another record', { alert: {} }],
    ['a member that is none of ours', { threat: { score: 'x' } }],
    ['no name', { threat: { title: '' } }],
    ['a name without a letter or digit', { threat: { title: '._-' } }],
    ['a number', { threat: { title: 7 } }],
    ['a name of 129 characters', { threat: { title: 'x'.repeat(129) } }],
  ])('may not hold %s', (_, mapping) => {
    expect(fieldMappingSchema.safeParse(mapping).success).toBe(false)
  })

  test.each([
    ['no name', { threat: { title: '.' } }, 'must be a name with letters or digits'],
    ['a number', { threat: { title: 7 } }, 'must be a name'],
    ['a long name', { threat: { title: 'x'.repeat(129) } }, 'must be 128 characters or fewer'],
  ])('says what is wrong with %s', (_, mapping, message) => {
    expect(fieldMappingSchema.safeParse(mapping).error?.issues).toMatchObject([
      { path: ['threat', 'title'], message },
    ])
  })
})
