import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countsSince, type PieceCounts } from '#bff/time/piece-counts.ts'
import type { FacetName } from '#contract/bff/threat-list.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { makeCaseColumn } from './case-column.ts'
import { countDays, countPerDay, countTerms, groupByTerm, orderedRows } from './count-days.ts'
import { createDictionaries, type IndexRows, rowTime, toRows } from './index-rows.ts'
import { countBeside } from './read-tallies.ts'
import { UNBOUNDED } from './select-rows.ts'
import { atOnce } from './slices.ts'

/** Case 0 is none: the claim is the only one. */
type Fact = { id: string; at: number; terms: string[]; victims: string[]; caseId?: number }

const NAMES = ['actor', 'country', 'severity'] as const
const value = fc.constantFrom('a', 'b', 'c', 'd')
const code = fc.constantFrom('A', 'B', 'C')
const facts = fc
  .array(
    fc.record({
      at: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 30 }) }, fc.constant(null)),
      actor: fc.uniqueArray(value, { maxLength: 3 }),
      country: fc.uniqueArray(code, { maxLength: 2 }),
      severity: fc.uniqueArray(value, { maxLength: 1 }),
      victims: fc.uniqueArray(value, { maxLength: 2 }),
      caseId: fc.nat({ max: 4 }),
    }),
    { maxLength: 25, size: 'max' },
  )
  .map((some) =>
    some.map(
      ({ at, victims, caseId, ...names }, place): Fact => ({
        id: `t${String(place).padStart(2, '0')}`,
        at: rowTime(at ?? place, at === null),
        victims,
        caseId,
        terms: NAMES.flatMap((name) => names[name].map((one) => `${name}:${one}`)),
      }),
    ),
  )
const starts = fc
  .uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 3, maxLength: 6 })
  .map((some) => some.toSorted((a, b) => a - b))

function rowsOf(some: readonly Fact[]) {
  const dictionaries = createDictionaries()
  return toRows(
    dictionaries,
    some.map(({ caseId: _, ...one }) => ({ ...one, searchedText: '' })),
  )
}

function casesOf(rows: IndexRows, some: readonly Fact[]) {
  const numbered = some.flatMap(({ id, caseId }) => (caseId ? [[id, caseId] as const] : []))
  return atOnce(makeCaseColumn(rows, { byId: new Map(numbered), revision: 1 }))
}

/** Claims of one case stand under one key, in the order of their times. */
function byCase(some: readonly Fact[]) {
  return Map.groupBy(
    some.toSorted((a, b) => a.at - b.at),
    ({ id, caseId }) => caseId || id,
  )
}

/** Values with their counts, most frequent first, and of as many by their names. */
function ranked(values: readonly string[]) {
  const counts = new Map<string, number>()
  for (const one of values) counts.set(one, (counts.get(one) ?? 0) + 1)
  const all = [...counts].map(([own, count]) => ({ value: own, count }))
  return all.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}

test('counts each value by day, with first and latest time, and the values that occur with it', () => {
  const others: readonly FacetName[] = ['severity', 'country']
  const agrees = fc.property(
    facts,
    starts,
    fc.nat({ max: 6 }),
    fc.nat({ max: 6 }),
    (some, days, besideFrom, length) => {
      const besideEnd = Math.min(besideFrom + length, days.length - 1)
      const rows = rowsOf(some)
      const found = countTerms(rows, groupByTerm(rows, orderedRows(rows), 'actor'), days)
      const [start, end] = [days[besideFrom] ?? Number.POSITIVE_INFINITY, days[besideEnd] ?? 0]
      const beside = atOnce(countBeside(rows, { name: 'actor', others, start, end }))
      const terms = [
        ...new Set(some.flatMap(({ terms }) => terms.filter((term) => term.startsWith('actor:')))),
      ]
      const isIn = ({ at }: Fact, from = 0, to = days.length - 1) =>
        at >= (days[from] ?? Number.POSITIVE_INFINITY) && at < (days[to] ?? 0)
      const expected = terms.map((term) => {
        const own = some.filter((one) => one.terms.includes(term))
        const times = own.map(({ at }) => at).filter((at) => at >= 0 && at < (days.at(-1) ?? 0))
        const later = own.filter((one) => isIn(one, besideFrom, besideEnd))
        const valuesOf = (name: string) =>
          later
            .flatMap((one) => one.terms)
            .flatMap((one) => (one.startsWith(`${name}:`) ? one.slice(name.length + 1) : []))
        return [
          term,
          {
            counts: days.slice(1).map((_, day) => own.filter((one) => isIn(one, day, day + 1)).length),
            firstAt: times.length > 0 ? Math.min(...times) : null,
            latestAt: times.length > 0 ? Math.max(...times) : null,
            victims: new Set(later.flatMap((one) => one.victims)).size,
            others: Object.fromEntries(others.map((name) => [name, ranked(valuesOf(name))])),
          },
        ]
      })
      const actual = [...found].map(([term, { counts, firstAt, latestAt }]) => [
        term,
        {
          counts,
          firstAt,
          latestAt,
          victims: beside.get(term)?.victims,
          others: Object.fromEntries(
            [...(beside.get(term)?.others ?? [])].map(([name, ranking]) => [
              name,
              ranking.map(({ value: own, count }) => ({ value: own.slice(name.length + 1), count })),
            ]),
          ),
        },
      ])
      expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected))
    },
  )
  fc.assert(agrees, propertyRuns(200))
})

test('counts the days of what a filter leaves, and of no time that it does not cover', () => {
  const agrees = fc.property(facts, starts, fc.boolean(), (some, days, isFiltered) => {
    const rows = rowsOf(some)
    const filter = isFiltered ? { country: ['A'] } : {}
    const bounds = { start: 5, end: 20 }
    const request = {
      starts: days,
      by: 'actor',
      seriesFrom: 0,
      seriesEnd: days.length,
      seriesMaxCount: 9,
    } as const
    const own = some.filter(
      ({ at, terms }) => at >= 5 && at < 20 && (!isFiltered || terms.includes('country:A')),
    )
    const perDay = (facts: readonly Fact[]) =>
      days.slice(1).map((end, day) => facts.filter(({ at }) => at >= (days[day] ?? 0) && at < end).length)
    const { counts, series } = countDays(rows, { filter, bounds }, request)
    expect(counts).toEqual(perDay(own))
    for (const { value: actor, counts } of series)
      expect(counts, actor).toEqual(perDay(own.filter(({ terms }) => terms.includes(actor))))
  })
  fc.assert(agrees, propertyRuns(200))
})

test('returns series for the most frequent values of the requested days, as records spell them', () => {
  const actors = { 1: ['a'], 2: ['b', 'c'], 3: ['c', 'd'], 4: ['d', 'b'], 5: ['c'] }
  const rows = rowsOf(
    Object.entries(actors).map(([at, names]) => ({
      id: `t${at}`,
      at: Number(at),
      terms: names.map((name) => `actor:${name}`),
      victims: [],
    })),
  )
  const { terms, termValues } = rows.dictionaries
  for (const [number, term] of terms.words.entries()) termValues[number] = term.slice(6).toUpperCase()
  const all = { filter: {}, bounds: UNBOUNDED }
  const request = {
    starts: [1, 2, 3, 4, 5],
    by: 'actor',
    seriesFrom: 1,
    seriesEnd: 4,
    seriesMaxCount: 10,
  } as const
  expect(countDays(rows, all, request)).toEqual({
    counts: [1, 1, 1, 1],
    series: [
      { value: 'B', counts: [0, 1, 0, 1] },
      { value: 'C', counts: [0, 1, 1, 0] },
      { value: 'D', counts: [0, 0, 1, 1] },
    ],
  })
  expect(countDays(rows, all, { ...request, seriesMaxCount: 1 }).series).toHaveLength(1)
  // The last two days are after the time of the series.
  const early = countDays(rows, all, { ...request, seriesEnd: 2 }).series
  expect(early.map(({ value }) => value)).toEqual(['B', 'C'])
  expect(countDays(rows, all, { ...request, by: undefined })).toEqual({
    counts: [1, 1, 1, 1],
    series: [],
  })
})

test('counts a case once in a range, on the day of its first claim there', () => {
  const agrees = fc.property(
    facts,
    starts,
    fc.boolean(),
    fc.nat({ max: 6 }),
    fc.nat({ max: 6 }),
    (some, days, isFiltered, first, length) => {
      const since = Math.min(first, days.length - 2)
      const end = Math.min(since + 1 + length, days.length - 1)
      const rows = rowsOf(some)
      const filter = isFiltered ? { country: ['A'] } : {}
      const request = {
        starts: days,
        by: 'actor',
        seriesFrom: since,
        seriesEnd: end,
        seriesMaxCount: 9,
      } as const
      const counted = countDays(rows, { filter, bounds: UNBOUNDED }, request, casesOf(rows, some))
      const own = some.filter(
        ({ at, terms }) =>
          at >= (days[since] ?? 0) && at < (days[end] ?? 0) && (!isFiltered || terms.includes('country:A')),
      )
      const perDay = (facts: readonly Fact[]) => {
        const firsts = [...byCase(facts).values()].flatMap(([earliest]) => earliest ?? [])
        return days
          .slice(since, end)
          .map(
            (start, day) =>
              firsts.filter(({ at }) => at >= start && at < (days[since + day + 1] ?? 0)).length,
          )
      }
      const inTime = (pieces: PieceCounts) => countsSince(pieces, since).slice(since, end)
      expect(inTime(counted)).toEqual(perDay(own))
      expect(inTime(counted).reduce((a, b) => a + b, 0)).toBe(byCase(own).size)
      const actors = [
        ...new Set(own.flatMap(({ terms }) => terms.filter((term) => term.startsWith('actor:')))),
      ]
      const sums = actors
        .map((actor) => ({ actor, own: own.filter(({ terms }) => terms.includes(actor)) }))
        .map(({ actor, own }) => ({ actor, counts: perDay(own), sum: byCase(own).size }))
        .toSorted((a, b) => b.sum - a.sum || (a.actor < b.actor ? -1 : 1))
      expect(counted.series.map(({ value, ...pieces }) => [value, inTime(pieces)])).toEqual(
        sums.map(({ actor, counts }) => [actor, counts]),
      )
    },
  )
  fc.assert(agrees, propertyRuns(300))
})

test('ranks the values that occur with another value by their number of cases', () => {
  const agrees = fc.property(facts, starts, (some, [start = 0, , end = 0]) => {
    const rows = rowsOf(some)
    const cases = casesOf(rows, some)
    const beside = atOnce(countBeside(rows, { name: 'actor', others: ['country'], start, end, cases }))
    const within = some.filter(({ at }) => at >= start && at < end)
    for (const [actor, { others }] of beside) {
      const own = within.filter(({ terms }) => terms.includes(actor))
      const countries = ['A', 'B', 'C']
        .map((code) => own.filter(({ terms }) => terms.includes(`country:${code}`)))
        .map((claims, at) => ({
          value: `country:${'ABC'[at]}`,
          count: claims.length,
          cases: byCase(claims).size,
        }))
        .filter(({ count }) => count > 0)
      expect(others.get('country')).toEqual(
        countries.toSorted((a, b) => b.cases - a.cases || (a.value < b.value ? -1 : 1)),
      )
    }
  })
  fc.assert(agrees, propertyRuns(200))
})

test('counts by day any records that come newest first', () => {
  expect(countPerDay({ at: [9, 5, 5, 4, 2, 1] }, [0, 1, 2, 3, 4, 5], [2, 4, 5, 6])).toEqual([1, 1, 2])
  expect(countPerDay({ at: [9, 5, 5] }, [1], [5, 6])).toEqual([1])
})
