import { describe, expect, test } from 'vitest'
import type { Threat } from '#contract/bff/threat.ts'
import { anchorOf, anchorsAfter, findContinuation } from './find-continuation.ts'
import { readThreatList } from './read-threat-list.ts'

/** A page, newest first: `b 10` is threat b of that day in March; without a day it has no time. */
function page(...threats: string[]): readonly Threat[] {
  const records = threats.map((threat) => {
    const [id, day] = threat.split(' ')
    return { id, published_at: day ? `2026-03-${day}` : null }
  })
  return readThreatList('v1', records)?.threats ?? []
}

const day = (of: string) => `2026-03-${of}T00:00:00.000Z`

describe('a page continues', () => {
  test.each([
    ['after the last that is known', ['b', 'c'], page('a 12', 'b 11', 'c 10', 'd 09')],
    ['after one that is known, when the last is gone', ['b', 'c'], page('a 12', 'b 11', 'd 09')],
    ['after the last of them, in whatever order they stand', ['b', 'c'], page('c 11', 'b 10', 'd 09')],
  ])('%s', (_, anchors, threats) => {
    const found = findContinuation({ anchors, time: day('10') }, threats)
    expect(found).toEqual({ kind: 'found', threats: page('d 09') })
  })

  test('with its first, when nothing has been read', () => {
    const threats = page('a 12', 'b 11')
    expect(findContinuation({ anchors: [], time: null }, threats)).toEqual({ kind: 'found', threats })
    expect(findContinuation({ anchors: [], time: day('01') }, threats)).toEqual({ kind: 'found', threats })
  })

  test('after its first, when that is the one that is known', () => {
    const found = findContinuation({ anchors: ['b'], time: null }, page('b 10', 'd 09'))
    expect(found).toEqual({ kind: 'found', threats: page('d 09') })
  })

  test('with nothing, when the known one is its last', () => {
    expect(findContinuation({ anchors: ['b'], time: null }, page('a 12', 'b 11'))).toEqual({
      kind: 'found',
      threats: [],
    })
  })

  test('by time, if no known record is left, and may repeat records but omits none', () => {
    const threats = page('a 12', 'b 10', 'c', 'd 09')
    const found = findContinuation({ anchors: ['gone'], time: day('10') }, threats)
    expect(found).toEqual({ kind: 'found', threats: page('b 10', 'c', 'd 09') })
    // The first of a page may be of that very time.
    const same = page('b 10', 'd 09')
    expect(findContinuation({ anchors: ['gone'], time: day('10') }, same)).toEqual({
      kind: 'found',
      threats: same,
    })
  })
})

test('a page of a list without order is used whole, unless it contains a known record', () => {
  const position = { anchors: ['b'], time: day('10') }
  for (const threats of [page('a 13', 'c 12'), page('a 09', 'c 08'), page('a', 'c')]) {
    expect(findContinuation(position, threats, true)).toEqual({ kind: 'found', threats })
  }
  const found = findContinuation(position, page('a 13', 'b 12', 'c 14'), true)
  expect(found).toEqual({ kind: 'found', threats: page('c 14') })
})

test.each([
  ['newer', page('a 13', 'b 12')],
  ['newer, or of that time', page('a 13', 'b 10')],
])('a page is ahead when it is wholly %s', (_, threats) => {
  expect(findContinuation({ anchors: ['gone'], time: day('10') }, threats)).toEqual({ kind: 'ahead' })
})

test.each([
  ['is wholly older', day('10'), page('a 09', 'b 08')],
  ['says no time', day('10'), page('a', 'b')],
  ['is empty', day('10'), page()],
  ['cannot be compared, as no time was known', null, page('a 13', 'b 12')],
  ['says no time, and none was known', null, page('a', 'b')],
])('a page is behind when it %s: something may be passed over', (_, time, threats) => {
  expect(findContinuation({ anchors: ['gone'], time }, threats)).toEqual({ kind: 'behind', threats })
})

test('the last five ids mark a position, those of earlier pages with them', () => {
  expect(anchorsAfter(['a', 'b'], page('c 10', 'd 10'))).toEqual(['a', 'b', 'c', 'd'])
  expect(anchorsAfter(['a', 'b', 'c'], page('d 10', 'e 10', 'f 10'))).toEqual(['b', 'c', 'd', 'e', 'f'])
  expect(anchorsAfter(['a'], page())).toEqual(['a'])
})

test('each long id has its own short anchor that fits in a cursor', () => {
  const long = (end: string) => `${'ä'.repeat(64)}${end}`
  const [short, one, another] = page(`${long('')} 10`, `${long('a')} 09`, `${long('b')} 08`)
  if (!short || !one || !another) throw new Error('Three have ids')
  expect(anchorOf(short.id)).toBe(short.id)
  const anchors = anchorsAfter([], [one])
  expect(anchors[0]).toMatch(/^[\w-]{43}$/)
  expect(anchors).not.toEqual(anchorsAfter([], [another]))
  expect(findContinuation({ anchors, time: null }, [short, one, another])).toEqual({
    kind: 'found',
    threats: [another],
  })
})
