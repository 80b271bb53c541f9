import type { Log } from '#bff/http/log.ts'
import { storeReadDetail } from '#bff/store/sync/store-page.ts'
import type { Clock } from '#bff/time/clock.ts'
import { type CachedAnswer, freshnessOf, type Timed } from '#bff/upstream/cache/cached-answer.ts'
import { ReadCache } from '#bff/upstream/cache/read-cache.ts'
import type { ReadRequest } from '#bff/upstream/cache/read-request.ts'
import { describeFailure } from '#bff/upstream/client/to-problem.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError, type UpstreamErrorKind } from '#bff/upstream/client/upstream-error.ts'
import { perGeneration } from '#bff/upstream/generation.ts'
import { readThreatRecord, type ThreatRecord } from '#bff/upstream/reader/read-threat-record.ts'
import type { ThreatAnswer } from '#contract/bff/threat-list.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import { describeClosed, describeMissing } from './describe-missing.ts'
import { requireVendorId, type StoredThreats } from './find-stored.ts'
import { joinRecords } from './join-records.ts'
import type { PictureHosts } from './picture-address.ts'

const MISSES_MIN_COUNT = 3
const MAX_BYTES = 32 * 1024 * 1024
const FRESH_FOR_MS = 10 * 60_000
/** An answer that lacks a part is worth another try soon. */
const INCOMPLETE_FRESH_FOR_MS = 5_000
const ROUTES = { v1: 'readThreat', earlier: 'readFeedThreat' } as const

/** Failures that say that the set has nothing to add, the least specific first. */
const ABSENCES: readonly UpstreamErrorKind[] = [
  'key_missing',
  'set_absent',
  'route_absent',
  'set_forbidden',
  'route_forbidden',
  'id_refused',
  'not_found',
  'forbidden',
]
/** These failures come from a set that was called and has nothing. */
const ANSWERS: readonly UpstreamErrorKind[] = ['id_refused', 'not_found']

export type ReadThreat = (
  id: string,
  /** Null joins the records of both sets. */
  set: RouteSet | null,
  request: ReadRequest,
) => Promise<Timed<ThreatAnswer>>

type ReadThreatDependencies = StoredThreats & {
  upstream: Upstream
  clock: Clock
  log: Log
  pictureHosts: PictureHosts
}

type Outcome = { cached: CachedAnswer<ThreatRecord> } | { error: UpstreamError }

/** Reads one threat, from the set that is named or from both, and stores what a call has brought before anybody sees it. */
export function createReadThreat({
  upstream,
  clock,
  log,
  pictureHosts,
  ...stored
}: ReadThreatDependencies): ReadThreat {
  const cache = new ReadCache<ThreatRecord>({
    clock,
    generation: upstream.generation,
    maxBytes: MAX_BYTES,
    isShared: true,
    freshForMs: () => FRESH_FOR_MS,
  })
  const linksNow = perGeneration(upstream.generation, () => new SetLinks())

  async function load(set: RouteSet, id: string, { caller }: ReadRequest): Promise<ThreatRecord> {
    const generation = upstream.generation()
    let isOfNow = true
    const answer = caller.stored && {
      ...caller.stored,
      onUsed(fetchedAtMs: number) {
        isOfNow = false
        caller.stored?.onUsed(fetchedAtMs)
      },
    }
    const body = await upstream.call(
      ROUTES[set],
      { id: await requireVendorId(stored, id) },
      { ...caller, ...(answer && { stored: answer }) },
    )
    const record = readThreatRecord(set, id, body)
    if (!record) throw new UpstreamError({ set, kind: 'unreadable', reason: 'not the record asked for' })
    // Records that another key was allowed to read are not shown with this one.
    if (isOfNow && generation === upstream.generation()) {
      await storeReadDetail(stored.database, stored.source, record).catch((error: unknown) =>
        log.error('detail-not-stored', error),
      )
    }
    return record
  }

  async function readFromSet(set: RouteSet, id: string, request: ReadRequest): Promise<Outcome> {
    try {
      return {
        cached: await cache.read(`${set} ${id}`, (caller) => load(set, id, { ...request, caller }), request),
      }
    } catch (error) {
      if (error instanceof UpstreamError) return { error }
      throw error
    }
  }

  async function readFromSets(
    sets: readonly RouteSet[],
    id: string,
    { request, links }: { request: ReadRequest; links: SetLinks },
  ): Promise<Outcome[]> {
    if (!links.areSeparate) return Promise.all(sets.map((set) => readFromSet(set, id, request)))
    // A record is in one set: the second set is called only if the first does not have it.
    const outcomes: Outcome[] = []
    for (const set of sets) {
      const outcome = await readFromSet(set, id, request)
      outcomes.push(outcome)
      if ('cached' in outcome) break
    }
    return outcomes
  }

  return async (id, set, request) => {
    const links = linksNow()
    const permitted = upstream.permittedSets()
    const sets = set ? [set] : permitted.length > 0 ? permitted : ROUTE_SETS
    const outcomes = await readFromSets(sets, id, { request, links })
    const cachedAnswers = outcomes.flatMap((outcome) => ('cached' in outcome ? [outcome.cached] : []))
    const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []))
    const [first, ...others] = cachedAnswers
    if (!first) throw mostSpecific(errors)
    if (others.length > 0 || errors.some(({ kind }) => kind === 'not_found'))
      links.record(id, others.length > 0)

    const threat = joinRecords([first.value, ...others.map(({ value }) => value)], pictureHosts)
    const unread = errors.find(({ kind }) => !ANSWERS.includes(kind))
    const missing = unread ? describeMissing(unread) : set ? undefined : describeClosed(upstream.closedSets())
    const parts = missing && { missing }
    const { freshness, freshForMs } = freshnessOf(cachedAnswers)
    if (!unread || ABSENCES.includes(unread.kind))
      return { answer: { threat, freshness, ...parts }, freshForMs }
    const staleReason = `Parts may be missing. ${describeFailure(unread)}`
    return {
      answer: { threat, freshness: { ...freshness, isStale: true, staleReason }, ...parts },
      freshForMs: Math.min(freshForMs, INCOMPLETE_FRESH_FOR_MS),
    }
  }
}

/** The error names no set if all sets agree. */
function mostSpecific(errors: readonly UpstreamError[]): UpstreamError {
  const [first, ...others] = errors
  if (first?.kind === 'not_found' && others.length > 0 && others.every(({ kind }) => kind === 'not_found'))
    return new UpstreamError({ set: null, kind: 'not_found', reason: 'in no set' })
  const rank = ({ kind }: UpstreamError) => {
    const at = ABSENCES.indexOf(kind)
    return at < 0 ? ABSENCES.length : at
  }
  const [best] = errors.toSorted((a, b) => rank(b) - rank(a))
  return best ?? new UpstreamError({ set: null, kind: 'not_found', reason: 'no set was asked' })
}

/** Finds out whether the ids of both route sets name the same records, because the reference does not state it. */
class SetLinks {
  readonly #misses = new Set<string>()
  #areLinked = false

  /** True once several records of one set were unknown to the other, and none was known. */
  get areSeparate(): boolean {
    return !this.#areLinked && this.#misses.size >= MISSES_MIN_COUNT
  }

  record(id: string, isInBoth: boolean): void {
    if (isInBoth) this.#areLinked = true
    else if (this.#misses.size < MISSES_MIN_COUNT) this.#misses.add(id)
  }
}
