import { ProblemError } from '#bff/http/problem-error.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Timed } from '#bff/vendor/cache/cached-answer.ts'
import { freshnessOf } from '#bff/vendor/cache/cached-answer.ts'
import { ReadCache } from '#bff/vendor/cache/read-cache.ts'
import type { ReadRequest } from '#bff/vendor/cache/read-request.ts'
import { toProblem } from '#bff/vendor/client/to-problem.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import type { ReadThreat } from '#bff/vendor/details/read-threats.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { RelatedThreats } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { ListThreats } from './list-threats.ts'
import { type RelationSearch, relationSearches } from './relation-searches.ts'

const MAX_BYTES = 8 * 1024 * 1024
const FRESH_FOR_MS = 5 * 60_000
/** A group that failed for the moment is worth another try soon. */
const INCOMPLETE_FRESH_FOR_MS = 15_000
const GROUP_MAX_COUNT = 5
/** More than a group holds, since a search finds more than what is shared. */
const CANDIDATES_COUNT = 50
const NOT_IN_PLAN =
  'Only a search of the earlier API finds these, which the plan of the API key does not include.'

type Group = RelatedThreats['groups'][number]
type Groups = { groups: Group[]; isComplete: boolean }

type RelatedThreatsDependencies = {
  readThreat: ReadThreat
  listThreats: ListThreats
  store: Pick<ThreatStore, 'find' | 'newest'>
  upstream: Pick<Upstream, 'generation'>
  clock: Clock
}

export type ReadRelated = (
  id: string,
  set: RouteSet | null,
  request: ReadRequest,
) => Promise<Timed<RelatedThreats>>

/** Other threats that share an actor, a victim or a country: from the window, or else by queries like the feed's. */
export function createReadRelated({
  readThreat,
  listThreats,
  store,
  upstream,
  clock,
}: RelatedThreatsDependencies): ReadRelated {
  const cache = new ReadCache<Groups>({
    clock,
    generation: upstream.generation,
    maxBytes: MAX_BYTES,
    freshForMs: ({ isComplete }) => (isComplete ? FRESH_FOR_MS : INCOMPLETE_FRESH_FOR_MS),
  })

  async function findCandidates(
    { filter, storedFilter }: RelationSearch,
    request: ReadRequest,
  ): Promise<Threat[]> {
    const stored = await store.newest(storedFilter, CANDIDATES_COUNT)
    return stored ?? (await listThreats({ ...filter, timeZone: 'UTC' }, request, 'verbatim')).answer.threats
  }

  async function readGroup(threat: Threat, search: RelationSearch, request: ReadRequest) {
    const { relation, value, isShared } = search
    try {
      const threats = (await findCandidates(search, request)).filter(
        (other) => isShared(other) && !isSame(threat, other),
      )
      return { group: { relation, value, threats: threats.slice(0, GROUP_MAX_COUNT), unavailable: null } }
    } catch (error) {
      const problem = toProblem(error)
      if (!(problem instanceof ProblemError)) throw problem
      const { code, detail } = problem.problem
      const isForNow = !['filter_not_supported', 'plan_not_allowed', 'not_offered'].includes(code)
      // Without a cause no call was made: no permitted set takes the query.
      const unavailable = problem.cause === undefined ? NOT_IN_PLAN : detail
      return { group: { relation, value, threats: [], unavailable }, isForNow }
    }
  }

  async function load(id: string, set: RouteSet | null, request: ReadRequest): Promise<Groups> {
    const { threat } = (await store.find(id, set)) ?? (await readThreat(id, set, request)).answer
    const read = await Promise.all(
      relationSearches(threat).map((search) => readGroup(threat, search, request)),
    )
    return { groups: read.map(({ group }) => group), isComplete: !read.some(({ isForNow }) => isForNow) }
  }

  return async (id, set, request) => {
    const cached = await cache.read(
      `${set} ${id}`,
      // It is read for all who request it meanwhile, and goes on when the first of them goes away.
      (caller) =>
        load(id, set, { caller, isRefresh: request.isRefresh, signal: new AbortController().signal }),
      request,
    )
    const { freshness, freshForMs } = freshnessOf([cached])
    return { answer: { groups: cached.value.groups, freshness }, freshForMs }
  }
}

/** The record itself, also where the other set knows it by another id. */
function isSame(threat: Threat, other: Threat): boolean {
  const isTwin =
    threat.title !== null && threat.title === other.title && threat.publishedAt === other.publishedAt
  return threat.id === other.id || isTwin
}
