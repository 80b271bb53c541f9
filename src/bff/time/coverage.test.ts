import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#contract/duration.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { coverageOf, joinRanges, type StoredTime, type TimeRange } from './coverage.ts'

const NOW_MS = Date.parse('2026-11-24T12:00:00.000Z')
const dayAgo = (days: number) => NOW_MS - days * DAY_MS
const isoAgo = (days: number) => new Date(dayAgo(days)).toISOString()
const between = (from: number, to: number): TimeRange => ({ from: dayAgo(from), to: dayAgo(to) })
const storedOf = (ranges: TimeRange[], some: Partial<StoredTime> = {}): StoredTime => ({
  ranges,
  beyond: 'planWindow',
  lacksRecords: false,
  ...some,
})
const MONTH = storedOf([between(30, 0)])

test.each<[string, StoredTime, number | null, number | null, object]>([
  ['all of it', MONTH, 30, 0, { status: 'complete', from: isoAgo(30), to: isoAgo(0), gaps: [] }],
  ['time that is still to come', MONTH, 7, -7, { status: 'complete', to: isoAgo(0), gaps: [] }],
  [
    'what lies before it',
    MONTH,
    40,
    0,
    { status: 'part', from: isoAgo(30), gaps: [{ from: isoAgo(40), to: isoAgo(30), why: 'planWindow' }] },
  ],
  [
    'all time',
    MONTH,
    null,
    null,
    { status: 'part', gaps: [{ from: null, to: isoAgo(30), why: 'planWindow' }] },
  ],
  [
    'a time of which nothing is stored',
    MONTH,
    50,
    40,
    {
      status: 'none',
      from: null,
      to: null,
      gaps: [{ from: isoAgo(50), to: isoAgo(40), why: 'planWindow' }],
    },
  ],
  [
    'all time of a list that has ended',
    storedOf([between(30, 0)], { beyond: 'endOfList' }),
    null,
    null,
    { status: 'complete', gaps: [] },
  ],
  [
    'a time before the first record of all',
    storedOf([between(30, 0)], { beyond: 'endOfList' }),
    50,
    40,
    { status: 'complete', from: null, gaps: [] },
  ],
  [
    'a time with a gap',
    storedOf([between(30, 0), between(90, 60)]),
    80,
    0,
    {
      status: 'part',
      from: isoAgo(80),
      to: isoAgo(0),
      gaps: [{ from: isoAgo(60), to: isoAgo(30), why: 'notRead' }],
    },
  ],
  ['the time up to a read that is a moment ago', storedOf([between(30, 0.1)]), 7, 0, { status: 'complete' }],
  [
    'the time since a read that is long ago',
    storedOf([between(30, 2)]),
    7,
    0,
    { status: 'part', gaps: [{ from: isoAgo(2), to: isoAgo(0), why: 'notRead' }] },
  ],
  [
    'time of which records are missing',
    storedOf([between(30, 0)], { lacksRecords: true }),
    7,
    0,
    { status: 'part', gaps: [] },
  ],
  [
    'nothing',
    storedOf([], { beyond: 'notRead' }),
    null,
    null,
    { status: 'none', gaps: [{ why: 'notRead' }] },
  ],
])('says how much is stored of %s', (_, stored, start, end, coverage) => {
  const bounds = { start: start === null ? null : dayAgo(start), end: end === null ? null : dayAgo(end) }
  expect(coverageOf(stored, bounds, NOW_MS)).toMatchObject(coverage)
})

const rangesArbitrary = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 1, max: 300 }))
    .map(([ago, hours]) => ({ from: NOW_MS - (ago + hours) * HOUR_MS, to: NOW_MS - ago * HOUR_MS })),
  { maxLength: 8 },
)

test('each hour of a question is stored or in a gap, and never both', () => {
  const property = fc.property(
    rangesArbitrary,
    fc.integer({ min: 0, max: 2_400 }),
    fc.integer({ min: 1, max: 800 }),
    (given, endsAgo, hours) => {
      const ranges = joinRanges(given)
      const [start, end] = [NOW_MS - (endsAgo + hours) * HOUR_MS, NOW_MS - endsAgo * HOUR_MS]
      const { gaps, status } = coverageOf(storedOf(ranges), { start, end }, NOW_MS)
      const isIn = (hour: number, from: number, to: number) => hour >= from && hour + HOUR_MS <= to
      let missing = 0
      for (let hour = start; hour < end; hour += HOUR_MS) {
        const isStored = given.some(({ from, to }) => isIn(hour, from, to))
        const isGap = gaps.some(({ from, to }) => isIn(hour, Date.parse(from ?? ''), Date.parse(to)))
        // A read that is a few hours ago counts as one of now.
        const isRecent = (ranges[0]?.to ?? 0) >= NOW_MS - 3 * HOUR_MS && hour >= (ranges[0]?.to ?? 0)
        expect(isGap).toBe(!isStored && !isRecent)
        if (isGap) missing++
      }
      expect(status === 'complete').toBe(missing === 0)
    },
  )
  fc.assert(property, propertyRuns(300))
})

test('joined ranges hold the same hours, newest first, and none touches another', () => {
  const property = fc.property(rangesArbitrary, (given) => {
    const joined = joinRanges(given)
    for (let hour = NOW_MS - 2_400 * HOUR_MS; hour < NOW_MS; hour += HOUR_MS) {
      const isIn = ({ from, to }: TimeRange) => hour >= from && hour < to
      expect(joined.filter(isIn).length).toBe(given.some(isIn) ? 1 : 0)
    }
    for (const [at, { to }] of joined.entries()) {
      const before = joined[at - 1]
      if (before) expect(to).toBeLessThan(before.from)
    }
  })
  fc.assert(property, propertyRuns(100))
})
