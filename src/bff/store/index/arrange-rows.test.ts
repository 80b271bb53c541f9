import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readGroupOrder, readOrder } from '#bff/store/list-page.ts'
import type { TeamMarks } from '#bff/store/team-marks.ts'
import { GROUPINGS, type Grouping, orderOf, SORTS, type Sort } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { type ThreatListQuery, threatListQuerySchema } from '#contract/bff/threat-list.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { normaliseText } from '#matcher/normalise-text.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { arrangeAll, arrangedPage, countGroups, type ListCursor, type RowOrder } from './arrange-rows.ts'
import { createDictionaries, type IndexRows, joinRows, mergeRows, toRows } from './index-rows.ts'
import { selectRows, UNBOUNDED } from './select-rows.ts'
import { atOnce } from './slices.ts'
import { countFieldTexts, searchedText, termsOf } from './threat-terms.ts'

const ZONE = 'Asia/Kathmandu'
const NOON_MS = Date.parse('2026-03-10T12:00:00Z')
/** Before all times that records have. */
const UNDATED_MS = Date.UTC(1020, 0)
const RUNS = propertyRuns(150)
/** More than a list of these tests has. */
const PAGES_MAX = 100

type Entry = Threat & { acted: number | null }

// The naive sort: plain records, compared two by two by what a person would say of them.

const fold = (name: string) => normaliseText(name).trim() || name
const LEVELS = ['low', 'medium', 'high', 'critical']
const COUNTRIES = new Map([
  ['DE', 'Germany'],
  ['AT', 'Austria'],
  ['AX', 'Åland Islands'],
  ['US', 'United States'],
])

const keys = new WeakMap<Entry, Map<Sort | Grouping, string>>()

function keyOf(threat: Entry, name: Sort | Grouping): string {
  const own = keys.get(threat) ?? new Map<Sort | Grouping, string>()
  const key = own.get(name) ?? readKey(threat, name)
  keys.set(threat, own.set(name, key))
  return key
}

function readKey(threat: Entry, name: Sort | Grouping): string {
  switch (name) {
    case 'published':
      return threat.publishedAt ?? ''
    case 'due':
      return threat.acted === null ? '' : String(5_000 - threat.acted).padStart(4, '0')
    case 'activity':
      return threat.acted === null ? '' : String(threat.acted).padStart(4, '0')
    case 'day': {
      if (threat.publishedAt === null) return ''
      // Kathmandu is 5:45 before UTC, all year.
      return new Date(Date.parse(threat.publishedAt) + 5.75 * HOUR_MS).toISOString().slice(0, 10)
    }
    case 'actor':
      return fold(threat.actors[0] ?? '')
    case 'victim':
      return threat.organizations.map((one) => normaliseText(one).trim()).find((one) => one !== '') ?? ''
    case 'country':
      return threat.countries.find(({ code }) => code !== null)?.code ?? ''
    default:
      return fold(threat[name] ?? '')
  }
}

function textOf(name: Sort | Grouping, key: string): string {
  if (name === 'severity') return `${LEVELS.indexOf(key) + 1} ${key}`
  return name === 'country' ? (COUNTRIES.get(key) ?? key).replace('Å', 'A') : key
}

function compareBy(name: Sort | Grouping, order: 'asc' | 'desc') {
  return (a: Entry, b: Entry) => {
    const [keyA, keyB] = [keyOf(a, name), keyOf(b, name)]
    if (keyA === '' || keyB === '') return Number(keyA === '') - Number(keyB === '')
    const [textA, textB] = [textOf(name, keyA), textOf(name, keyB)]
    if (textA === textB) return 0
    return textA < textB === (order === 'asc') ? -1 : 1
  }
}

function arrange(all: readonly Entry[], query: ThreatListQuery): Entry[] {
  const { sort = 'published', group, closed = [] } = query
  const bySort = compareBy(sort, orderOf(query))
  const byGroup = group ? compareBy(group, group === 'day' || group === 'severity' ? 'desc' : 'asc') : () => 0
  const byTime = compareBy('published', 'desc')
  return all
    .filter((one) => !group || !closed.includes(keyOf(one, group)))
    .toSorted((a, b) => byGroup(a, b) || bySort(a, b) || byTime(a, b) || (a.id < b.id ? 1 : -1))
}

const name = fc.constantFrom('LockBit', 'lockbit', 'Äcme', 'acme bank', '株式会社', '3.0', 'Zeta')
const names = fc.array(name, { maxLength: 2 })
const entry = fc.record({
  at: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 5 }),
  acted: fc.option(fc.integer({ min: 0, max: 6 }), { freq: 2 }),
  severity: fc.option(fc.constantFrom('critical', 'High', 'medium', 'low', 'unknown')),
  category: fc.option(name),
  actors: names,
  organizations: fc.array(fc.oneof(name, fc.constant('--')), { maxLength: 2 }),
  domains: names,
  industries: names,
  countries: fc.array(fc.constantFrom('DE', 'AT', 'AX', 'US', null), { maxLength: 2 }),
})
const entries = fc.array(entry, { maxLength: 40, size: 'max' }).map((some) =>
  some.map(
    ({ at, countries, ...one }, place): Entry => ({
      ...one,
      id: `thr_${String(place).padStart(2, '0')}`,
      set: 'v1',
      title: null,
      excerpt: null,
      countries: countries.map((code) => ({ code, name: 'Somewhere' })),
      publishedAt: at === null ? null : new Date(NOON_MS - at * HOUR_MS).toISOString(),
      redacted: [],
    }),
  ),
)
const key = fc.constantFrom('', 'lockbit', 'acme bank', '2026-03-10', 'high', 'DE', 'gone')
const orders = fc
  .record(
    {
      sort: fc.constantFrom(...SORTS),
      order: fc.constantFrom('asc', 'desc'),
      group: fc.constantFrom(...GROUPINGS),
      closed: fc.array(key, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .map((order) => threatListQuerySchema.parse({ ...order, timeZone: ZONE }))

const toFacts = (some: readonly Entry[]) =>
  some.map((one) => ({
    id: one.id,
    at: one.publishedAt === null ? UNDATED_MS : Date.parse(one.publishedAt),
    terms: termsOf(one).map(({ term }) => term),
    searchedText: searchedText(one),
    fieldTexts: countFieldTexts(one),
  }))

type Indexed = { rows: IndexRows; team: TeamMarks }
const indexed = new WeakMap<readonly Entry[], Indexed>()

/** Makes it once for each page of the same records, as the window does. */
function indexOf(all: readonly Entry[]): Indexed {
  const known = indexed.get(all) ?? { rows: makeRows(all), team: teamOf(all) }
  indexed.set(all, known)
  return known
}

/** The index as it comes to be: in parts, and some records later. */
function makeRows(all: readonly Entry[]): IndexRows {
  const dictionaries = createDictionaries()
  const some = (rest: number) => toRows(dictionaries, toFacts(all.filter((_, at) => at % 3 === rest)))
  const first = joinRows(dictionaries, [some(0)])
  return atOnce(mergeRows(atOnce(mergeRows(first, some(1))), some(2)))
}

function teamOf(all: readonly Entry[]): TeamMarks {
  const activity = new Map(all.flatMap(({ id, acted }) => (acted === null ? [] : [[id, acted]])))
  const claims = [...activity].map(
    ([id, acted], caseId) => [id, { caseId, knownAtMs: 5_000 - acted, levels: 0 }] as const,
  )
  const marksOf = () => undefined
  const due = {
    claims: { revision: 1, byId: new Map(claims) },
    rule: Array(16).fill({ severity: 'low', hours: 0 }),
    marksOf,
  }
  return { activity: async () => activity, marks: async () => marksOf, due: async () => due }
}

const NO_ORDER: RowOrder = { group: null, sort: null, closed: [] }
const idsOf = (all: readonly Entry[]) => all.map(({ id }) => id)

/** All pages of a list, over rows that may be others at each. */
async function readAll(query: ThreatListQuery, indexNow: (page: number) => readonly Entry[], limit: number) {
  const ids: string[] = []
  const groupKeys: string[] = []
  let after: ListCursor | null = null
  let page = 0
  do {
    const { rows, team } = indexOf(indexNow(page++))
    const order = (await readOrder(rows, query, team)) ?? NO_ORDER
    const found = arrangedPage(rows, selectRows(rows, { filter: {}, bounds: UNBOUNDED }), {
      order,
      // A cursor returns it in this form.
      after: after && JSON.parse(JSON.stringify(after)),
      limit,
    })
    expect(found.ids.length).toBeLessThanOrEqual(limit)
    expect(page, 'a list ends').toBeLessThan(PAGES_MAX)
    ids.push(...found.ids)
    groupKeys.push(...(found.groupKeys ?? []))
    after = found.next
  } while (after)
  return { ids, groupKeys }
}

test('sorts, groups and pages as a comparison of each pair of records does', async () => {
  let moved = 0
  await fc.assert(
    fc.asyncProperty(entries, orders, fc.integer({ min: 1, max: 7 }), async (all, query, limit) => {
      const expected = arrange(all, query)
      const { ids, groupKeys } = await readAll(query, () => all, limit)
      expect(ids).toEqual(idsOf(expected))
      const { group } = query
      expect(groupKeys).toEqual(group ? expected.map((one) => keyOf(one, group)) : [])
      moved += String(ids) === String(idsOf(arrange(all, threatListQuerySchema.parse({})))) ? 0 : 1
    }),
    RUNS,
  )
  expect(moved).toBeGreaterThan(RUNS.numRuns / 3)
})

test('returns a whole list in the order of its pages, including closed groups', async () => {
  await fc.assert(
    fc.asyncProperty(entries, orders, async (all, query) => {
      const { rows, team } = indexOf(all)
      const order = (await readOrder(rows, query, team)) ?? NO_ORDER
      const found = await arrangeAll(selectRows(rows, { filter: {}, bounds: UNBOUNDED }), order)
      const everyGroup = { ...query, closed: undefined }
      expect(Array.from(found, (row) => rows.ids[row])).toEqual(idsOf(arrange(all, everyGroup)))
    }),
    RUNS,
  )
})

test('counts the groups of a list in its order, each by its newest threat', async () => {
  const grouping = fc.constantFrom(...GROUPINGS)
  await fc.assert(
    fc.asyncProperty(entries, grouping, fc.integer({ min: 1, max: 9 }), async (all, group, limit) => {
      const { rows } = indexOf(all)
      const expected = new Map<string, string[]>()
      for (const one of arrange(all, threatListQuerySchema.parse({ group, timeZone: ZONE }))) {
        const own = keyOf(one, group)
        expected.set(own, [...(expected.get(own) ?? []), one.id])
      }
      const found = countGroups(rows, selectRows(rows, { filter: {}, bounds: UNBOUNDED }), {
        group: await readGroupOrder(rows, group, ZONE),
        limit,
      })
      expect(found.groups.map(({ key, count, firstId }) => [key, count, firstId])).toEqual(
        [...expected].slice(0, limit).map(([own, ids]) => [own, ids.length, ids[0]]),
      )
      expect(found.more).toBe(Math.max(0, expected.size - limit))
    }),
    RUNS,
  )
})

test('continues after the last row while others change, without repeating or losing rows', async () => {
  const change = fc.record({
    come: fc.integer({ min: 0, max: 3 }),
    go: fc.array(fc.nat({ max: 39 }), { maxLength: 6 }),
    renamed: fc.nat({ max: 39 }),
  })
  let gone = 0
  await fc.assert(
    fc.asyncProperty(entries, orders, fc.array(change, { maxLength: 12 }), async (all, query, changes) => {
      const steps = [all]
      for (const { come, go, renamed } of changes) {
        const before = steps.at(-1) ?? []
        const left = before.filter((_, at) => !go.includes(at))
        gone += before.length - left.length
        const titled = left.map((one, at) => (at === renamed ? { ...one, title: 'another' } : one))
        const newer = all.slice(0, come).map((one, at) => ({ ...one, id: `new_${steps.length}_${at}` }))
        steps.push([...newer, ...titled])
      }
      const last = steps.at(-1) ?? []
      const { ids } = await readAll(query, (page) => steps[page] ?? last, 3)
      expect(new Set(ids).size).toBe(ids.length)
      const stayed = all.filter(({ id }) => last.some((one) => one.id === id))
      const isThere = new Set(idsOf(stayed))
      expect(ids.filter((id) => isThere.has(id))).toEqual(idsOf(arrange(stayed, query)))
    }),
    RUNS,
  )
  expect(gone).toBeGreaterThan(3 * RUNS.numRuns)
})
