import { expect, test } from 'vitest'
import type { ServiceLedger } from '#bff/vendor/ledger/service-ledger.ts'
import type { LedgerEntry } from '#contract/bff/ledger.ts'
import {
  DELIVERY_STATES,
  type Delivery,
  type DeliveryCounts,
  deliveryCountsSchema,
} from '#contract/delivery.ts'
import { enqueueMatches } from '#delivery/enqueue.ts'
import { ACCEPTED, aMatch, createLedger, refused, scriptChannel } from '#test/support/delivery/deliveries.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { createJoinedLedger } from './join-ledgers.ts'

const NONE: DeliveryCounts = deliveryCountsSchema.parse(
  Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])),
)

function serviceLine(at: number): Delivery {
  const some = { state: 'sent', reason: null, channel: 'email', destination: 'a…', subject: null } as const
  const times = { nextAttemptAt: null, answeredAt: null, code: null, excerpt: null }
  const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
  const createdAt = new Date(Date.parse('2026-11-22T12:00:00Z') + at * 1_000).toISOString()
  return { id, kind: 'matches', ...some, causes: [], threatCount: 1, attempts: 1, createdAt, ...times }
}

/** Our own service's ledger, in pages of ten. */
function scriptLedger(lines: readonly Delivery[]): ServiceLedger {
  return {
    async list({ cursor = '0', limit = 50, states }) {
      const from = Number(cursor)
      const found = lines.filter(({ state }) => states?.includes(state) ?? true)
      const to = Math.min(from + Math.min(limit, 10), found.length)
      const nextCursor = to < found.length ? String(to) : null
      return { deliveries: found.slice(from, to), nextCursor, counts: { ...NONE, sent: lines.length } }
    },
    read: async () => null,
    resend: async () => null,
  }
}

test('joins two ledgers by time, each line once, and keeps its own where the other is away', async () => {
  const database = await takeDatabase('bff')
  const { access, createWorker, pass } = createLedger(database)
  const worker = createWorker({ slack: scriptChannel() })
  for (let at = 0; at < 8; at++) {
    await enqueueMatches(database, [aMatch(`t${at}`)], access)
    await worker.work()
    pass(61_000)
  }
  const lines = Array.from({ length: 120 }, (_, at) => serviceLine(119 * 4 - at * 4))
  const ask = createJoinedLedger({ database, serviceLedger: scriptLedger(lines) })
  const seen: { id: string; createdAt: string }[] = []
  for (let cursor: string | undefined, rounds = 0; rounds < 40; rounds++) {
    const page = await ask({ cursor })
    expect(page.counts.sent).toBe(lines.length + 8)
    seen.push(...page.deliveries)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
  expect(seen).toHaveLength(lines.length + 8)
  const times = seen.map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted().reverse())

  const away = { ...scriptLedger([]), list: () => Promise.reject(new Error('away')) }
  const own = await createJoinedLedger({ database, serviceLedger: away })({})
  expect(own).toMatchObject({ serviceLedger: 'unavailable', counts: { sent: 8 } })
  expect(own.deliveries).toHaveLength(8)
})

test('gives what failed or is unclear before the rest, across pages and ledgers, unless states are chosen', async () => {
  const database = await takeDatabase('bff')
  const { access, createWorker, pass } = createLedger(database)
  const gone = refused({ code: '410', isPermanent: true })
  const worker = createWorker({ slack: scriptChannel([gone, ACCEPTED]) })
  for (const id of ['fails', 'arrives']) {
    await enqueueMatches(database, [aMatch(id)], access)
    await worker.work()
    pass(61_000)
  }
  const lines = Array.from({ length: 140 }, (_, at): Delivery => {
    const state = at % 2 === 0 ? 'sent' : at % 4 === 1 ? 'failed' : 'unclear'
    return { ...serviceLine(-at), state }
  })
  const ask = createJoinedLedger({ database, serviceLedger: scriptLedger(lines) })
  const seen: LedgerEntry[] = []
  for (let cursor: string | undefined, rounds = 0; rounds < 40; rounds++) {
    const page = await ask({ cursor, failuresFirst: true })
    seen.push(...page.deliveries)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  expect(new Set(seen.map(({ id }) => id)).size).toBe(142)
  expect(seen.slice(0, 71).map(({ state }) => state)).not.toContain('sent')
  expect(new Set(seen.slice(71).map(({ state }) => state))).toEqual(new Set(['sent']))
  for (const part of [seen.slice(0, 71), seen.slice(71)]) {
    const times = part.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().reverse())
    expect(part[0]).toMatchObject({ keeper: 'dashboard' })
  }
  const { deliveries } = await ask({ state: ['failed', 'sent'], failuresFirst: true })
  expect(deliveries.slice(0, 2).map(({ state }) => state)).toEqual(['sent', 'failed'])
})
