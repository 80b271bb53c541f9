import { ProblemError } from '#bff/http/problem-error.ts'
import type { ProfileReader } from '#bff/notify/profile-queries.ts'
import { countConditions } from '#bff/store/count-conditions.ts'
import { hasAllTexts, readFullTexts } from '#bff/store/full-text/full-text-queries.ts'
import { countWithin } from '#bff/store/index/filter-rows.ts'
import type { ProfileCriteria } from '#bff/store/index/match-profiles.ts'
import { facetsOf } from '#bff/store/index/select-rows.ts'
import type { ReadSearch } from '#bff/store/read-search.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { countedPeriod, type Stored } from '#bff/time/counted-period.ts'
import { coverageOf } from '#bff/time/coverage.ts'
import { freshnessOf } from '#bff/upstream/cache/cached-answer.ts'
import type { ReadRequest } from '#bff/upstream/cache/read-request.ts'
import { codeOf, describeFailure } from '#bff/upstream/client/to-problem.ts'
import type { Upstream } from '#bff/upstream/client/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import type { ReadThreat } from '#bff/upstream/details/read-threats.ts'
import type { ReportedProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import type {
  AlertList,
  AlertProfile,
  Backtest,
  BacktestQuery,
  ProfileMatches,
  SearchBacktestQuery,
  ThreatProfiles,
} from '#contract/bff/alert.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import { type ThreatFilter, threatFilterSchema } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { searchOfKeywords } from '#matcher/query/profile-keywords.ts'
import { leavesOf } from '#matcher/query/query-tree.ts'
import { type BacktestInput, type DraftSearch, describeMatches, runBacktest } from './backtest.ts'
import { explainProfiles, explainThreats } from './explain-profiles.ts'
import { findNarrower } from './find-narrower.ts'
import type { ProfileList } from './profile-list.ts'
import type { FindMatches, MatchedRecords } from './profile-matches.ts'
import { createOwnProfiles } from './profiles/own-profiles.ts'
import { countWindow, lastDays, selectWithin } from './profiles/profile-window.ts'

const MATCHES_MAX_COUNT = 100
/** Keywords that are too long for a search. */
const NOT_NARROWED: Pick<Backtest, 'narrower'> = { narrower: [] }

export type AlertAnswersDependencies = {
  profiles: ProfileList
  store: Pick<ThreatStore, 'storedRange' | 'indexRows' | 'select' | 'matchFacts'>
  readSearch: ReadSearch
  upstream: Pick<Upstream, 'data'>
  findMatches: FindMatches
  readThreat: ReadThreat
  /** How messages of profiles go, where the source tells. */
  readSummaries: () => Promise<AlertList['extension']>
  database: Database
  clock: Clock
}

export type AlertAnswers = {
  list(timeZone: string, request: ReadRequest): Promise<AlertList>
  /** What keywords, or a search, would have matched. */
  backtest(
    query: BacktestQuery | SearchBacktestQuery,
    reader: ProfileReader,
    request: ReadRequest,
  ): Promise<Backtest>
  /** The newest records that one profile matches. */
  matches(id: string, timeZone: string, request: ReadRequest): Promise<ProfileMatches>
  /** Which profiles match one threat. */
  explain(
    id: string,
    set: RouteSet | null,
    reader: ProfileReader,
    request: ReadRequest,
  ): Promise<ThreatProfiles>
  /** One profile with what it matches. */
  countMatches(profile: ReportedProfile, timeZone: string): Promise<AlertProfile>
}

/** The answers about alert profiles: the profiles come from the vendor's list, their matches from the window, free. */
export function createAlertAnswers({
  profiles,
  store,
  upstream,
  findMatches,
  readThreat,
  readSummaries,
  database,
  readSearch,
  clock,
}: AlertAnswersDependencies): AlertAnswers {
  const own = createOwnProfiles({ database, store, readSearch, clock })
  const boundsIn = (timeZone: string) => lastDays(timeZone, clock.nowMs())
  const daysIn = (timeZone: string, stored: Stored) =>
    countedPeriod(DEFAULT_PERIOD, { timeZone, nowMs: clock.nowMs(), stored }).coverage

  async function openSearch(query: { timeZone: string }, request: ReadRequest): Promise<DraftSearch> {
    const [stored, records] = await Promise.all([store.storedRange(), store.indexRows()])
    if (!stored) throw nothingStored()
    return {
      stored,
      records,
      isFullText: await hasAllTexts(database, upstream),
      bounds: boundsIn(query.timeZone),
      signal: request.signal,
    }
  }

  /** A backtest is worth showing without its overlaps with other profiles. */
  async function readOverlapping(
    { timeZone }: { timeZone: string },
    reader: ProfileReader,
    request: ReadRequest,
  ) {
    const ownMatches = await own.findMatches(reader, boundsIn(timeZone))
    try {
      const listed = (await profiles.read(request)).value.profiles
      const matches = await findMatches(listed, boundsIn(timeZone))
      const found = listed.flatMap((profile, at) => {
        const matched = matches?.[at]
        return matched ? [{ ...profile, matched }] : []
      })
      return { profiles: [...found, ...ownMatches], unavailable: null }
    } catch (error) {
      if (error instanceof UpstreamError) return { profiles: ownMatches, unavailable: describeFailure(error) }
      throw error
    }
  }

  async function explain(criteria: ProfileCriteria, ids: readonly string[]) {
    const [threats, fullTexts] = await Promise.all([readThreats(database, ids), readFullTexts(database, ids)])
    return explainThreats(criteria, threats, fullTexts)
  }

  /** A plan without profiles at the vendor keeps no profile of Lantern out of sight. */
  async function readVendorProfiles(request: ReadRequest) {
    try {
      const cached = await profiles.read(request)
      return { profiles: cached.value.profiles, problem: null, ...freshnessOf([cached]) }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      return {
        profiles: [],
        problem: { code: codeOf(error), detail: describeFailure(error) },
        freshness: null,
      }
    }
  }

  /** What a search matches of the last 30 days, and what counts others of the same days. */
  async function selectDays(query: SearchBacktestQuery) {
    const { timeZone, filter } = query
    const select = (one: ThreatFilter) =>
      selectWithin({ ...one, timeZone }, boundsIn(timeZone), { store, clock })
    const { rows, selection } = await select(filter)
    const countOf = async (one: ThreatFilter) => (await select(one)).selection.matched.length
    const narrower = await findNarrower(filter, {
      ...{ matches: selection.matched.length, facets: facetsOf(rows, selection), countOf },
    })
    return { rows, selection, countOf, narrower }
  }

  async function runKeywords(query: BacktestQuery, input: Omit<BacktestInput, 'query'>) {
    const { counted, sampleIds } = await runBacktest({ query, ...input })
    const q = searchOfKeywords(query.keywords.filter((keyword) => parseKeyword(keyword)))
    const filter = { q, ...(query.categories.length > 0 && { category: query.categories }) }
    const isSearch = threatFilterSchema.safeParse(filter).success
    const { narrower } = isSearch ? await selectDays({ filter, timeZone: query.timeZone }) : NOT_NARROWED
    return { ...counted, narrower, conditions: [], samples: await explain(query, sampleIds) }
  }

  async function runSearch(query: SearchBacktestQuery, input: Omit<BacktestInput, 'query'>) {
    const { filter, timeZone } = query
    const { rows, selection, countOf, narrower } = await selectDays(query)
    const { conditions } = await countConditions({ ...filter, timeZone }, { rows, countOf })
    const matches = { matchedRows: selection.matched, compared: countWithin(rows, boundsIn(timeZone)) }
    const { counted, sampleIds } = describeMatches(matches, { query, ...input })
    const words = leavesOf(parseQuery(filter.q ?? '').tree).flatMap((leaf) =>
      leaf.kind === 'word' ? [leaf.text] : [],
    )
    const samples = await explain({ keywords: words, categories: [] }, sampleIds)
    return { ...counted, narrower, conditions, samples }
  }

  return {
    async countMatches(profile, timeZone) {
      const matches = await findMatches([profile], boundsIn(timeZone))
      return withMatches(profile, matches?.[0])
    },

    async list(timeZone, request) {
      const cached = await profiles.read(request)
      const { profiles: listed, unreadable } = cached.value
      const matches = await findMatches(listed, boundsIn(timeZone))
      const stored = matches?.[0]?.stored ?? (await store.storedRange())
      // Of what their matches are counted in; the vendor reports no time for the profiles.
      const { freshness } = freshnessOf([cached])
      const days = daysIn(timeZone, stored)
      const counted = listed.map((profile, at) => withMatches(profile, matches?.[at]))
      return {
        profiles: counted,
        extension: await readSummaries(),
        unreadable,
        days,
        freshness: {
          ...freshness,
          ...(stored && { coverage: coverageOf(stored.time, boundsIn(timeZone), clock.nowMs()) }),
        },
      }
    },

    async backtest(query, reader, request) {
      const [search, overlapping] = await Promise.all([
        openSearch(query, request),
        readOverlapping(query, reader, request),
      ])
      const input = { search, profiles: overlapping.profiles, nowMs: clock.nowMs() }
      const run = 'filter' in query ? runSearch(query, input) : runKeywords(query, input)
      const answer = await run.catch((error: unknown) => {
        throw request.signal.aborted ? givenUp() : error
      })
      const { freshness } = search.stored
      return { ...answer, overlapsUnavailable: overlapping.unavailable, freshness }
    },

    async matches(id, timeZone, request) {
      const listed = (await profiles.read(request)).value.profiles
      const at = listed.findIndex((one) => one.id === id)
      const profile = listed[at]
      if (!profile) throw noProfile()
      const matched = (await findMatches(listed, boundsIn(timeZone)))?.[at]
      if (!matched) throw nothingStored()
      const { stored, records, rows } = matched
      const ids = rows.slice(0, MATCHES_MAX_COUNT).map((row) => records.ids[row] ?? '')
      return {
        matches: await explain(profile, ids),
        total: rows.length,
        days: daysIn(timeZone, stored),
        freshness: stored.freshness,
      }
    },

    async explain(id, set, reader, request) {
      const [vendor, ownVerdicts, { answer }] = await Promise.all([
        readVendorProfiles(request),
        own.explain(reader, id),
        readThreat(id, set, request),
      ])
      return {
        profiles: [...explainProfiles(vendor.profiles, answer.threat), ...ownVerdicts],
        vendorProblem: vendor.problem,
        freshness: vendor.freshness,
      }
    },
  }
}

function withMatches(profile: ReportedProfile, matched: MatchedRecords | undefined): AlertProfile {
  if (!matched) return { ...profile, window: null }
  return { ...profile, window: countWindow(matched.records, matched.rows) }
}

function nothingStored(): ProblemError {
  return new ProblemError({
    code: 'window_empty',
    detail: 'Matches are counted in the stored threats, and none is stored yet. Try again soon.',
  })
}

function noProfile(): ProblemError {
  return new ProblemError({
    code: 'not_found',
    detail: 'There is no such alert profile in the list. It may have been deleted at the source.',
  })
}

/** Whoever types on has sent a newer request by now. */
function givenUp(): ProblemError {
  return new ProblemError({ code: 'conflict', detail: 'This backtest was given up.' })
}
