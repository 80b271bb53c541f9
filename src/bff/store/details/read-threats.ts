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
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Analysis, ThreatDetail } from '#contract/bff/threat.ts'
import type { ThreatAnswer } from '#contract/bff/threat-list.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import { describeClosed, describeMissing } from './describe-missing.ts'
import { requireVendorId, type StoredThreats } from './find-stored.ts'
import { type PictureHosts, placePicture } from './picture-address.ts'

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

/**
 * Joins one threat's records of the route sets. The preferred record comes first and wins if it reports a value. The
 * content, the evidence and the parts of the analysis are the earlier set's if it has them.
 */
function joinRecords(
  [first, ...others]: readonly [ThreatRecord, ...ThreatRecord[]],
  pictureHosts: PictureHosts,
): ThreatDetail {
  const records = [first, ...others]
  const text = (
    member: 'title' | 'excerpt' | 'category' | 'severity' | 'publishedAt' | 'content' | 'sourceUrl',
  ) => records.map((record) => record[member]).find((value) => value !== null) ?? null
  const list = <Member extends 'actors' | 'countries' | 'industries' | 'organizations' | 'domains'>(
    member: Member,
  ): ThreatRecord[Member] => records.find((record) => record[member].length > 0)?.[member] ?? first[member]

  const publishedAt = text('publishedAt')
  const dateText = records.map((record) => record.dateText).find((written) => written !== undefined)
  const detail = {
    id: first.id,
    ...(first.fullId !== undefined && { fullId: first.fullId }),
    set: first.set,
    title: text('title'),
    excerpt: text('excerpt'),
    category: text('category'),
    severity: text('severity'),
    actors: list('actors'),
    countries: list('countries'),
    industries: list('industries'),
    organizations: list('organizations'),
    domains: list('domains'),
    publishedAt,
    ...(publishedAt === null && dateText !== undefined && { dateText }),
    content: text('content'),
    sourceUrl: text('sourceUrl'),
    analysis: joinAnalyses(records),
    evidence: toEvidence(
      records.find(({ evidence }) => evidence.length > 0),
      pictureHosts,
    ),
    otherFields: records.flatMap(({ set, otherFields }) =>
      otherFields.map(({ path, value }) => ({ path: others.length > 0 ? `${set}: ${path}` : path, value })),
    ),
    records: records.map(({ set, json }) => ({ set, json })),
  }
  const withheld = new Set(records.flatMap(({ redacted }) => redacted))
  return { ...detail, redacted: [...withheld].filter((member) => isEmpty(detail[member])) }
}

/** The earlier set's parts before v1's; the running text is v1's own. */
function joinAnalyses(records: readonly ThreatRecord[]): Analysis | null {
  const inOrder = (set: RouteSet) => records.toSorted((a, b) => Number(b.set === set) - Number(a.set === set))
  const analyses = inOrder('earlier').flatMap(({ analysis }) => analysis ?? [])
  const [best] = analyses
  if (!best) return null
  const part = (member: 'riskLevel' | 'summary' | 'impact' | 'text') =>
    analyses.map((analysis) => analysis[member]).find((value) => value !== null) ?? null
  const summary = part('summary')
  const text = part('text')
  return {
    riskLevel: part('riskLevel'),
    summary,
    impact: part('impact'),
    recommendations:
      analyses.find(({ recommendations }) => recommendations.length > 0)?.recommendations ?? [],
    text: text === summary ? null : text,
  }
}

function toEvidence(record: ThreatRecord | undefined, hosts: PictureHosts): ThreatDetail['evidence'] {
  return (record?.evidence ?? []).map(({ type, url }, index) => {
    const found = placePicture(url, hosts)
    return {
      type,
      url,
      picture:
        found.kind === 'fetched'
          ? `/bff/threats/${pathSegment(record?.id ?? '')}/evidence/${index}?set=${record?.set}`
          : null,
      ...(found.kind !== 'refused' && found.host !== null && { host: found.host }),
    }
  })
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}
