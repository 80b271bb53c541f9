import * as z from 'zod/mini'
import { notFound, type ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { readTallies, type Tallies, type Tally, type TallySource } from '#bff/store/index/read-tallies.ts'
import type { Clock } from '#bff/time/clock.ts'
import { type CachedAnswer, freshnessOf } from '#bff/upstream/cache/cached-answer.ts'
import { ReadCache } from '#bff/upstream/cache/read-cache.ts'
import { type ReadRequest, toReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import { describeFailure, orProblem } from '#bff/upstream/client/to-problem.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { type ListedActors, readActorList } from '#bff/upstream/reader/read-actor-list.ts'
import {
  ACTORS_MAX_COUNT,
  type Actor,
  type ActorAnswer,
  type ActorDetail,
  type ActorList,
  type ActorListing,
  type ActorQuery,
  actorListQuerySchema,
  actorNameSchema,
  actorQuerySchema,
} from '#contract/bff/actor.ts'
import { readCarriedText } from '#contract/bff/path-segment.ts'
import type { FacetName } from '#contract/bff/threat-list.ts'
import { DAY_MS } from '#contract/duration.ts'
import {
  aliasesOf,
  findActors,
  findByName,
  joinActors,
  type KnownActor,
  nameOf,
  otherFieldsOf,
} from './join-actors.ts'

type ActorRouteDependencies = TallySource & { upstream: Upstream }

type Known = {
  tallies: Tallies
  actors: Map<string, KnownActor>
  listing: ActorListing
  timed: ReturnType<typeof freshnessOf>
}

const NOT_READ = {
  kind: 'saving_calls',
  set: 'v1',
  reason: 'the list of actors is still to be read',
} as const

export function actorRoutes(dependencies: ActorRouteDependencies): BffRoute[] {
  const listed = createReadListedActors(dependencies)

  async function readKnown(of: ActorQuery, readRequest: ReadRequest): Promise<Known> {
    // A page that nobody has opened yet is worth no call.
    if (readRequest.caller.priority !== 'person' && !listed.isFresh()) throw new UpstreamError(NOT_READ)
    const tallies = await readTallies(dependencies, 'actor', of)
    if (!tallies.stored) {
      const cached = await listed.require(readRequest)
      return {
        tallies,
        actors: joinActors(tallies, cached.value.actors, of),
        listing: toListing(cached),
        timed: freshnessOf([cached]),
      }
    }
    const found = await listed.glance(readRequest)
    const actors = joinActors(tallies, 'cached' in found ? found.cached.value.actors : [], of)
    const listing = 'cached' in found ? toListing(found.cached) : { fetchedAt: null, absent: found.absent }
    return { tallies, actors, listing, timed: tallies.stored }
  }

  return [
    defineRoute('GET /bff/actors', {
      access: 'viewer',
      query: actorListQuerySchema,
      cache: 'answer',
      async answer({ query, request, session }) {
        const { tallies, actors, listing, timed } = await orProblem(() =>
          readKnown(query, toReadRequest(request, session)),
        )
        const found = findActors(actors.values(), { query, tallies })
        const list: ActorList = {
          actors: found.actors.slice(0, ACTORS_MAX_COUNT).map((actor) => toActor(actor, tallies)),
          total: found.actors.length,
          tabs: found.tabs,
          days: tallies.days,
          period: tallies.period,
          listing,
          freshness: timed.freshness,
        }
        return { json: list, freshForMs: timed.freshForMs }
      },
    }),
    defineRoute('GET /bff/actors/:name', {
      access: 'viewer',
      params: z.object({ name: z.pipe(z.pipe(z.string(), z.transform(readCarriedText)), actorNameSchema) }),
      query: actorQuerySchema,
      cache: 'answer',
      async answer({ params, query, request, session }) {
        const { tallies, actors, listing, timed } = await orProblem(() =>
          readKnown(query, toReadRequest(request, session)),
        )
        const found = findByName(actors, params.name)
        if (!found) throw unknownActor(listing)
        const answer: ActorAnswer = {
          actor: toActorDetail(found, tallies),
          days: tallies.days,
          period: tallies.period,
          listing,
          freshness: timed.freshness,
        }
        return { json: answer, freshForMs: timed.freshForMs }
      },
    }),
  ]
}

function toListing({ fetchedAtMs }: CachedAnswer<ListedActors>): ActorListing {
  return { fetchedAt: new Date(fetchedAtMs).toISOString(), absent: null }
}

function unknownActor({ absent }: ActorListing): ProblemError {
  const listing = absent
    ? 'The vendor’s own list of actors could not be read.'
    : 'Nor does the vendor’s own list of actors.'
  return notFound(
    `No stored threat names this actor. ${listing} Check how it is written, or search the threats for it.`,
    'No such actor is known',
  )
}

const TARGETS_MAX_COUNT = 3

type Figures = Omit<Actor, 'categories' | 'countries' | 'industries'>

/** Returns one actor for the list. */
function toActor(known: KnownActor, tallies: Tallies): Actor {
  const { tally, listed } = known
  const top = (name: FacetName) => valuesOf(tally, name).slice(0, TARGETS_MAX_COUNT)
  const counted = valuesOf(tally, 'category')
  return {
    ...figuresOf(known, tallies),
    categories: counted.length > 0 ? counted : (listed?.categories ?? []),
    countries: top('country'),
    industries: top('industry'),
  }
}

/** Returns one actor for its own page. */
function toActorDetail(known: KnownActor, tallies: Tallies): ActorDetail {
  const { tally, listed } = known
  const counted = (name: FacetName) => [...(tally?.others.get(name) ?? [])]
  const categories = counted('category')
  const isCounted = (category: string) =>
    categories.some(({ value }) => value.toLowerCase() === category.toLowerCase())
  return {
    ...figuresOf(known, tallies),
    aliases: aliasesOf(known),
    categories,
    countries: counted('country'),
    industries: counted('industry'),
    severities: counted('severity'),
    victims: tally?.victims ?? 0,
    listedCategories: (listed?.categories ?? []).filter((category) => !isCounted(category)),
    otherFields: otherFieldsOf(known),
  }
}

function figuresOf(known: KnownActor, { stored, none }: Tallies): Figures {
  const { tally, listed, concerns } = known
  const { counts, caseCounts } = tally ?? none
  const times = [tally?.latestAt, listed?.latestObservedAt].filter((time) => typeof time === 'string')
  return {
    name: nameOf(known),
    isHeld: tally !== null,
    mentions: tally ? tally.count : stored ? 0 : null,
    ...(caseCounts && { cases: tally ? (tally.cases ?? null) : stored ? 0 : null, caseCounts }),
    compared: tally?.compared ?? null,
    week: (tally ?? none).week,
    firstObservedAt: tally?.firstAt ?? null,
    latestObservedAt: times.sort().at(-1) ?? null,
    counts,
    listedMentions: listed?.mentions ?? null,
    ...concerns,
  }
}

function valuesOf(tally: Tally | null, name: FacetName): string[] {
  return (tally?.others.get(name) ?? []).map(({ value }) => value)
}

const MAX_BYTES = 4 * 1024 * 1024
const FRESH_FOR_MS = DAY_MS
/** A page that has figures of its own waits this long for the list. */
const PATIENCE_MS = 600
const LIMIT = 100
const TRIAL_LIMIT = 50
const KEY = 'actors'

type Listing = { cached: CachedAnswer<ListedActors> } | { absent: string }

/** The vendor's own list of actors, read once a day. */
function createReadListedActors({ upstream, clock }: { upstream: Upstream; clock: Clock }) {
  const cache = new ReadCache<ListedActors>({
    clock,
    generation: upstream.generation,
    maxBytes: MAX_BYTES,
    isShared: true,
    freshForMs: () => FRESH_FOR_MS,
  })

  async function load(caller: Caller): Promise<ListedActors> {
    const { trialExpiresAt } = await upstream.state()
    const limit = trialExpiresAt === null ? LIMIT : TRIAL_LIMIT
    const list = readActorList(await upstream.call('listActors', { query: { limit } }, caller))
    if (!list) throw new UpstreamError({ set: 'v1', kind: 'unreadable', reason: 'no list of actors' })
    return list
  }

  const require = (request: ReadRequest) => cache.read(KEY, load, request)

  return {
    /** Waits for the list, for a page that has nothing else to show; fails if there is none. */
    require,
    /** Returns true if either answers without a call. */
    isFresh: () => (cache.peek(KEY)?.freshForMs ?? 0) > 0,
    /** For a page that has figures of its own: spends a call only if many are left, or on a person's refresh. */
    async glance(request: ReadRequest): Promise<Listing> {
      const quiet: ReadRequest = {
        caller: { ...request.caller, priority: 'prefetch' },
        isRefresh: false,
        signal: AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]),
      }
      try {
        return { cached: await require(request.isRefresh ? request : quiet) }
      } catch (error) {
        if (error instanceof UpstreamError) return { absent: describeFailure(error) }
        throw error
      }
    },
  }
}
