import * as z from 'zod/mini'
import type { ServiceLedger } from '#bff/vendor/ledger/service-ledger.ts'
import type { Ledger, LedgerEntry, LedgerKeeper, LedgerQuery } from '#contract/bff/ledger.ts'
import {
  DELIVERY_STATES,
  type DeliveryCounts,
  type DeliveryList,
  type DeliveryState,
} from '#contract/delivery.ts'
import type { Database } from '#database/database.ts'
import { countDeliveries, type LedgerReader, listDeliveries } from '#delivery/ledger.ts'

const PAGE = 50
/** Of each ledger: what one of them has between two lines of the other. */
const ASKED = 100
/** The dashboard's own part waits no longer for the other. */
const SERVICE_MS = 3_000
/** Pages of a ledger that a cursor's place has moved out of. */
const ROUNDS_MAX = 20

const placeSchema = z.object({
  /** Where the ledger's own page begins; null at the newest. */
  cursor: z.nullable(z.string()),
  /** The last line that was given of it. */
  last: z.nullable(z.object({ id: z.string(), createdAt: z.string() })),
  isOver: z.boolean(),
})
type Place = z.infer<typeof placeSchema>
const placesSchema = z.object({ dashboard: placeSchema, service: placeSchema })
type Places = z.infer<typeof placesSchema>
/** Messages that need somebody come first where `failuresFirst` is given. Each part is newest first. */
const cursorSchema = z.extend(placesSchema, { part: z.enum(['failures', 'rest', 'all']) })
type Part = z.infer<typeof cursorSchema>['part']
const START: Place = { cursor: null, last: null, isOver: false }
const STARTS: Places = { dashboard: START, service: START }
const FAILURES: readonly DeliveryState[] = ['failed', 'unclear']
const REST = DELIVERY_STATES.filter((state) => !FAILURES.includes(state))

/** A question to both ledgers; `threatId` where it is of one threat, `watchIds` where only some watches may be read. */
export type LedgerQuestion = LedgerQuery &
  Pick<LedgerReader, 'watchIds'> & {
    threatId?: string | undefined
    /** Failed and unclear messages before all others. Without it, and where states are chosen, all are newest first. */
    failuresFirst?: boolean
  }
type ReadPage = (cursor: string | undefined) => Promise<Pick<DeliveryList, 'deliveries' | 'nextCursor'>>
type Source = { keeper: LedgerKeeper; place: Place; entries: LedgerEntry[]; next: string | null }

export type JoinedLedger = (question: LedgerQuestion) => Promise<Ledger>

/** The dashboard's ledger and the service's, in one order. What the service does not answer keeps nothing else back. */
export function createJoinedLedger({
  database,
  serviceLedger,
}: {
  database: Database
  serviceLedger: ServiceLedger
}): JoinedLedger {
  async function readPart(question: LedgerQuestion, part: Part, places: Places): Promise<Ledger> {
    const { channel, causeId, causeKind, threatId, watchIds } = question
    const states = part === 'all' ? question.state : part === 'failures' ? FAILURES : REST
    const cause = causeId !== undefined && causeKind ? { kind: causeKind, id: causeId } : undefined
    const readOwn: ReadPage = async (cursor) => {
      const { items, nextCursor } = await listDeliveries(database, {
        ...{ watchIds, states, channel, cause, threatId, cursor },
        limit: ASKED,
      })
      return { deliveries: items, nextCursor }
    }
    const service = askService(serviceLedger, {
      ...{ states, channel, threatId },
      profileId: cause?.kind === 'profile' ? cause.id : undefined,
    })
    const [own, ownCounts, theirs] = await Promise.all([
      readSource('dashboard', places.dashboard, readOwn),
      countDeliveries(database, { watchIds }),
      service.read(places.service, cause?.kind === 'watch'),
    ])
    const { entries, next } = merge([own, theirs.source])
    return {
      deliveries: entries,
      nextCursor: next && writeCursor({ part, ...next }),
      counts: sum(ownCounts, theirs.counts),
      serviceLedger: theirs.state,
    }
  }

  return async (question) => {
    const { part, ...places } = readCursor(question)
    if (part !== 'failures') return readPart(question, part, places)
    // Together, so that a service that does not answer is waited for once.
    const [failures, rest] = await Promise.all([
      readPart(question, 'failures', places),
      readPart(question, 'rest', STARTS),
    ])
    if (failures.nextCursor !== null) return failures
    return { ...rest, deliveries: [...failures.deliveries, ...rest.deliveries] }
  }
}

type Asked = Omit<Parameters<ServiceLedger['list']>[0], 'cursor' | 'limit'>
type Answered = { source: Source; counts: DeliveryCounts | null; state: Ledger['serviceLedger'] }

function askService(ledger: ServiceLedger, asked: Asked) {
  return {
    /** Of a watch the service knows nothing, and of what it has told all: then it is asked for its counts alone. */
    async read(place: Place, isOfWatch: boolean): Promise<Answered> {
      const isCountOnly = isOfWatch || place.isOver
      const silent = (state: Ledger['serviceLedger']): Answered => ({
        source: { keeper: 'service', place, entries: [], next: null },
        counts: null,
        state,
      })
      let counts: DeliveryCounts | null = null
      let isThere = true
      const readPage: ReadPage = async (cursor) => {
        const page = await withinTime(ledger.list({ ...asked, cursor, limit: isCountOnly ? 1 : ASKED }))
        isThere = page !== null
        counts = page?.counts ?? null
        return isCountOnly || !page ? { deliveries: [], nextCursor: null } : page
      }
      try {
        const source = await readSource('service', { ...place, isOver: false }, readPage)
        return isThere ? { source, counts, state: 'joined' } : silent('none')
      } catch {
        return silent('unavailable')
      }
    },
  }
}

function withinTime<T>(answer: Promise<T>): Promise<T> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('The service does not answer')), SERVICE_MS).unref()
  })
  return Promise.race([answer, timeout])
}

/** The lines after a place, however many have come before it since. */
async function readSource(keeper: LedgerKeeper, place: Place, readPage: ReadPage): Promise<Source> {
  if (place.isOver) return { keeper, place, entries: [], next: null }
  let { cursor } = place
  for (let round = 0; ; round++) {
    const { deliveries, nextCursor } = await readPage(cursor ?? undefined)
    const entries = after(deliveries, place.last).map((delivery) => ({ ...delivery, keeper }))
    if (entries.length > 0 || nextCursor === null || round >= ROUNDS_MAX)
      return { keeper, place: { ...place, cursor }, entries, next: nextCursor }
    cursor = nextCursor
  }
}

function after<Line extends { id: string; createdAt: string }>(
  lines: readonly Line[],
  last: Place['last'],
): readonly Line[] {
  if (!last) return lines
  const at = lines.findIndex(({ id }) => id === last.id)
  return at < 0 ? lines.filter(({ createdAt }) => createdAt < last.createdAt) : lines.slice(at + 1)
}

/** A page of both, newest first. It ends early where one of them has more that was not read. */
function merge(sources: readonly [Source, Source]) {
  const [own, theirs] = sources
  const taken = { dashboard: 0, service: 0 }
  const entries: LedgerEntry[] = []
  while (entries.length < PAGE) {
    const a = own.entries[taken.dashboard]
    const b = theirs.entries[taken.service]
    if ((!a && own.next !== null) || (!b && theirs.next !== null)) break
    const newest = !a || (b && b.createdAt > a.createdAt) ? b : a
    if (!newest) break
    entries.push(newest)
    taken[newest.keeper]++
  }
  const dashboard = placeAfter(own, taken.dashboard)
  const service = placeAfter(theirs, taken.service)
  return { entries, next: dashboard.isOver && service.isOver ? null : { dashboard, service } }
}

function placeAfter({ place, entries, next }: Source, taken: number): Place {
  const last = entries[taken - 1] ?? place.last
  const kept = last && { id: last.id, createdAt: last.createdAt }
  if (taken < entries.length) return { cursor: place.cursor, last: kept, isOver: false }
  return { cursor: next, last: kept, isOver: next === null }
}

function sum(own: DeliveryCounts, theirs: DeliveryCounts | null): DeliveryCounts {
  const counts = { ...own }
  for (const state of DELIVERY_STATES) counts[state] = own[state] + (theirs?.[state] ?? 0)
  return counts
}

function writeCursor(position: z.infer<typeof cursorSchema>): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** What is no cursor of ours begins anew. */
function readCursor({ cursor, state, failuresFirst }: LedgerQuestion): z.infer<typeof cursorSchema> {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString('utf8')))
  } catch {
    return { part: failuresFirst && !state ? 'failures' : 'all', ...STARTS }
  }
}
