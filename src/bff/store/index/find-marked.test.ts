import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { dueOfCase, toDueRule } from '#bff/store/cases/due-of-case.ts'
import { acceptsTriage, TRIAGE_FILTERS } from '#contract/bff/triage-filter.ts'
import { HOUR_MS } from '#contract/duration.ts'
import { type TeamMarked, withReader } from '#matcher/query/query-tests.ts'
import { propertyRuns } from '#test/support/property-runs.ts'
import { dueColumnOf, prepareDueColumn } from './due-column.ts'
import { createMarkTest, findMarked, prepareMarks } from './find-marked.ts'
import { createDictionaries, toRows } from './index-rows.ts'

const NOW_MS = 40 * HOUR_MS
const READER = 'u-1'

/** `known` is the hour when a claim became known; null for a claim of the past. Case 0: it cannot be due. */
const claim = fc.record({
  caseId: fc.integer({ min: 0, max: 4 }),
  known: fc.option(fc.integer({ min: 0, max: 40 })),
  levels: fc.integer({ min: 0, max: 15 }),
  marks: fc.option(
    fc.record({
      isRead: fc.boolean(),
      isStarred: fc.boolean(),
      isClosed: fc.boolean(),
      ownerId: fc.option(fc.constantFrom(READER, 'u-2')),
    }),
  ),
})
const REST = { isOverdue: false, hasComment: false, ownerText: '', isOwnerActive: true }
const rule = toDueRule({ critical: 4, high: 10, medium: 30, low: null })

test('due times and triage filters of rows agree with each threat and its case', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(claim, { maxLength: 30 }),
      fc.constantFrom(...TRIAGE_FILTERS),
      fc.boolean(),
      async (given, filter, isPrepared) => {
        const claims = given.map((one, at) => ({
          ...one,
          id: `t${at}`,
          marks: one.marks && { ...one.marks, ...REST },
        }))
        const index = toRows(
          createDictionaries(),
          claims.map(({ id }, at) => ({ id, at, terms: [], searchedText: '' })),
        )
        const byId = new Map(claims.map((one) => [one.id, one]))
        const marksOf = (id: string) => byId.get(id)?.marks ?? undefined
        const due = {
          claims: {
            revision: 1,
            byId: new Map(
              claims.flatMap(({ id, caseId, known, levels }) =>
                caseId === 0
                  ? []
                  : [[id, { caseId, knownAtMs: known === null ? null : known * HOUR_MS, levels }] as const],
              ),
            ),
          },
          rule,
          marksOf,
        }
        const dueAt = (id: string) => {
          const own = byId.get(id)
          if (!own || own.caseId === 0 || own.marks?.isClosed) return null
          const open = claims.flatMap(({ caseId, known, levels, marks }) =>
            caseId === own.caseId && known !== null && !marks?.isClosed
              ? { knownAtMs: known * HOUR_MS, levels }
              : [],
          )
          return dueOfCase(open, rule)?.atMs ?? null
        }
        const view = { marksOf, overdue: { due, nowMs: NOW_MS } }
        if (isPrepared) {
          await prepareMarks(index, view)
          expect(await prepareDueColumn(index, due)).toBe(dueColumnOf(index, due))
        }
        const accepts = (marks: TeamMarked | undefined) =>
          acceptsTriage(filter, marks && withReader(marks, READER))
        // Only the store knows what is overdue: without a due time, rows are looked up one by one.
        const isAccepted = createMarkTest(index, { marksOf: (id) => marksOf(id) }, accepts)
        expect(index.ids.filter((_, row) => isAccepted(row))).toEqual(
          index.ids.filter((id) => accepts(marksOf(id))),
        )
        const found = findMarked(index, view, accepts)
        expect(Array.from(dueColumnOf(index, due), (at) => (Number.isNaN(at) ? null : at))).toEqual(
          index.ids.map(dueAt),
        )
        expect(index.ids.filter((_, row) => found.has(row))).toEqual(
          index.ids.filter((id) => {
            const marks = marksOf(id)
            const at = dueAt(id)
            const isOverdue = at !== null && at <= NOW_MS
            return acceptsTriage(filter, {
              isMine: marks?.ownerId === READER,
              isRead: marks?.isRead ?? false,
              isStarred: marks?.isStarred ?? false,
              isClosed: marks?.isClosed ?? false,
              isOverdue,
            })
          }),
        )
      },
    ),
    propertyRuns(150),
  )
})

test('computes marks and due times once for simultaneous requests, and again after a failure', async () => {
  const count = 20_001
  const index = toRows(
    createDictionaries(),
    Array.from({ length: count }, (_, at) => ({ id: `t${at}`, at, terms: [], searchedText: '' })),
  )
  const marksOf = vi.fn((): undefined => {
    if (marksOf.mock.calls.length === 1) throw new Error('at first')
  })
  const due = { claims: { revision: 1, byId: new Map() }, rule, marksOf }
  const view = { marksOf, overdue: { due, nowMs: NOW_MS } }
  await expect(prepareMarks(index, view)).rejects.toThrow('at first')
  marksOf.mockClear()
  marksOf.mockImplementation(() => {})
  const ask = async () => {
    await prepareMarks(index, view)
    return prepareDueColumn(index, due)
  }
  const [first, ...others] = await Promise.all([ask(), ask(), ask()])
  expect(marksOf).toHaveBeenCalledTimes(count)
  for (const other of others) expect(other).toBe(first)
})
