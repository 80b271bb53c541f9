import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readGroups, readListPage } from '#bff/store/list-page.ts'
import { GROUPINGS, type RowKind, SORTS } from '#contract/bff/arrangement.ts'
import { type ThreatListQuery, threatListQuerySchema } from '#contract/bff/threat-list.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { makeThreat } from '#test/support/store/hold-threats.ts'
import type { ListCursor } from './arrange-rows.ts'
import { makeCaseColumn } from './case-column.ts'
import { caseOfRow, collapseRows } from './collapse-rows.ts'
import { createDictionaries, mergeRows, rowTime, toRows } from './index-rows.ts'
import { countUndated, selectRows, UNBOUNDED } from './select-rows.ts'
import { atOnce } from './slices.ts'
import { termsOf } from './threat-terms.ts'

const RUNS = propertyRuns(150)
const NOON_MS = Date.parse('2026-03-10T12:00:00Z')
/** More pages than a list of these tests has. */
const PAGES_MAX = 20
const CASES = 6

const NEVER_DUE = {
  claims: { revision: 1, byId: new Map() },
  rule: [],
  marksOf: () => undefined,
}

/** Case 0 has no number: the claim was not compared yet. */
type Claim = { hours: number | null; caseId: number; actor: string; severity: string; category: string }

function open(claims: readonly Claim[], merged: number) {
  const threats = claims.map(({ hours, actor, severity, category }, at) => ({
    ...makeThreat(`t${at}`, new Date(NOON_MS - (hours ?? 0) * HOUR_MS).toISOString()),
    ...(hours === null && { publishedAt: null }),
    actors: [actor],
    organizations: [`${actor} of ${severity}`],
    severity,
    category,
  }))
  const facts = threats.map((threat, at) => ({
    id: threat.id,
    at: rowTime(NOON_MS - (claims[at]?.hours ?? 0) * HOUR_MS, threat.publishedAt === null),
    terms: termsOf(threat).map(({ term }) => term),
    searchedText: '',
    victims: threat.organizations.map((name) => name.toLowerCase()),
  }))
  const dictionaries = createDictionaries()
  const later = toRows(dictionaries, facts.slice(merged))
  const rows = atOnce(mergeRows(later, toRows(dictionaries, facts.slice(0, merged))))
  const caseIds = new Map<string, number>(
    claims.flatMap(({ caseId }, at) => (caseId === 0 ? [] : [[`t${at}`, caseId] as const])),
  )
  const cases = atOnce(makeCaseColumn(rows, { byId: caseIds, revision: 1 }))
  const selectionOf = (query: ThreatListQuery) => selectRows(rows, { filter: query, bounds: UNBOUNDED })
  const listed = (query: ThreatListQuery, kind: RowKind) => ({
    rows,
    selection: selectionOf(query),
    cases: kind === 'cases' ? cases : null,
    readRecords: async (ids: readonly string[]) => ids.flatMap((id) => threats[Number(id.slice(1))] ?? []),
    team: {
      marks: async () => () => undefined,
      due: async () => NEVER_DUE,
      activity: async () => new Map(claims.map(({ hours }, at) => [`t${at}`, (hours ?? 0) * 7 + at])),
    },
  })
  return {
    rows,
    cases,
    selectionOf,
    caseOf: (id: string) => caseIds.get(id) ?? id,
    /** All pages of a list: the ids with their groups. */
    async list(query: ThreatListQuery, kind: RowKind) {
      const found: { id: string; group: string }[] = []
      let after: ListCursor | null = null
      for (let pages = 0; pages < PAGES_MAX; pages++) {
        const { page, next } = await readListPage(listed(query, kind), query, after)
        found.push(...page.threats.map(({ id }, at) => ({ id, group: page.groupKeys?.[at] ?? '' })))
        after = next
        if (!next) return found
      }
      throw new Error('The list has no end')
    },
    groups: (query: ThreatListQuery, kind: RowKind) =>
      readGroups(listed(query, kind), query.group ?? 'day', query),
  }
}

const claim: fc.Arbitrary<Claim> = fc.record({
  hours: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 6 }),
  caseId: fc.integer({ min: 0, max: CASES }),
  actor: fc.constantFrom('Ashfall', 'Brine', 'Cinder'),
  severity: fc.constantFrom('low', 'high', 'critical', 'odd'),
  category: fc.constantFrom('Ransomware', 'Data leak'),
})
// More than a page, so that cases lie on both sides of its end.
const claims = fc.array(claim, { minLength: 1, maxLength: 160, size: 'max' })
const query = fc
  .record(
    {
      sort: fc.constantFrom(...SORTS),
      order: fc.constantFrom('asc', 'desc'),
      group: fc.constantFrom(...GROUPINGS),
      category: fc.constant(['Data leak']),
      closed: fc.constant(['ashfall', 'high', '']),
    },
    { requiredKeys: [] },
  )
  .map((given) => threatListQuerySchema.parse({ ...given, rows: 'cases' }))

/** Leaves the first claim of each case in each group. */
function firstOfEach(
  found: readonly { id: string; group: string }[],
  caseOf: (id: string) => string | number,
) {
  const met = new Set<string>()
  return found.filter(({ id, group }) => {
    const key = JSON.stringify([group, caseOf(id)])
    return !met.has(key) && met.add(key)
  })
}

test('a list of cases is the list of claims with only the first claim of each case', async () => {
  await fc.assert(
    fc.asyncProperty(claims, query, fc.nat(), async (given, query, merged) => {
      const { list, caseOf } = open(given, merged % (given.length + 1))
      const all = await list(query, 'claims')
      expect(await list(query, 'cases')).toEqual(firstOfEach(all, caseOf))
    }),
    RUNS,
  )
})

test('the counts of cases equal the rows of the list and of each group', async () => {
  await fc.assert(
    fc.asyncProperty(claims, query, async (given, { closed: _, ...query }) => {
      const { rows, cases, list, groups, selectionOf, caseOf } = open(given, 0)
      const counted = collapseRows(selectionOf(query), cases, null)
      const found = await list(query, 'cases')
      expect(counted.matched).toHaveLength(new Set(found.map(({ id }) => caseOf(id))).size)
      if (!query.group) expect(counted.matched).toHaveLength(found.length)
      if (!query.group && !query.sort && !query.order) {
        const undated = found.filter(({ id }) => given[Number(id.slice(1))]?.hours === null)
        expect(countUndated(rows, counted)).toBe(undated.length)
      }
      for (const groupOrder of ['value', 'size'] as const) {
        if (!query.group) continue
        const ordered = await list({ ...query, groupOrder }, 'cases')
        const sizes = Map.groupBy(ordered, ({ group }) => group)
        const answer = await groups({ ...query, groupOrder }, 'cases')
        expect(answer.groups.map(({ key, count }) => [key, count])).toEqual(
          [...sizes].map(([key, members]) => [key, members.length]),
        )
      }
    }),
    RUNS,
  )
})

test('a case has all of its stored claims, and each actor once', () => {
  const { rows, cases } = open(
    ['Ashfall', 'Brine', 'Ashfall', 'Cinder'].map((actor, at) => ({
      hours: at,
      caseId: at < 3 ? 41 : 42,
      actor,
      severity: 'low',
      category: 'Ransomware',
    })),
    2,
  )
  const first = { id: '41', claimCount: 3, actorCount: 2 }
  expect(rows.ids.map((_, row) => caseOfRow(rows, cases, row))).toEqual([first, first, first, undefined])
})
