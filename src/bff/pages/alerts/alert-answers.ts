import { ProblemError } from '#bff/http/problem-error.ts'
import { hasAllTexts, readFullTexts } from '#bff/store/full-text/full-text-queries.ts'
import type { ProfileCriteria } from '#bff/store/index/match-profiles.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { countedPeriod, type Stored } from '#bff/time/counted-period.ts'
import { coverageOf } from '#bff/time/coverage.ts'
import { calendarOf } from '#bff/time/periods.ts'
import { freshnessOf } from '#bff/vendor/cache/cached-answer.ts'
import type { ReadRequest } from '#bff/vendor/cache/read-request.ts'
import { describeFailure } from '#bff/vendor/client/to-problem.ts'
import type { Upstream } from '#bff/vendor/client/upstream-client.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import type { ReadThreat } from '#bff/vendor/details/read-threats.ts'
import type { ReportedProfile } from '#bff/vendor/reader/read-alert-profiles.ts'
import type {
  AlertList,
  AlertProfile,
  Backtest,
  BacktestQuery,
  ProfileMatches,
  ThreatProfiles,
} from '#contract/bff/alert.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { type DraftSearch, runBacktest } from './backtest.ts'
import { explainProfiles, explainThreats } from './explain-profiles.ts'
import type { ProfileList } from './profile-list.ts'
import type { FindMatches, MatchedRecords } from './profile-matches.ts'

const MATCHES_MAX_COUNT = 100

export type AlertAnswersDependencies = {
  profiles: ProfileList
  store: Pick<ThreatStore, 'storedRange' | 'indexRows'>
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
  backtest(query: BacktestQuery, request: ReadRequest): Promise<Backtest>
  /** The newest records that one profile matches. */
  matches(id: string, timeZone: string, request: ReadRequest): Promise<ProfileMatches>
  /** Which profiles match one threat. */
  explain(id: string, set: RouteSet | null, request: ReadRequest): Promise<ThreatProfiles>
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
  clock,
}: AlertAnswersDependencies): AlertAnswers {
  /** Of the last 30 days. */
  const boundsIn = (timeZone: string) => {
    const { start, end } = calendarOf(DEFAULT_PERIOD, timeZone, clock.nowMs())
    return { start, end }
  }
  const daysIn = (timeZone: string, stored: Stored) =>
    countedPeriod(DEFAULT_PERIOD, { timeZone, nowMs: clock.nowMs(), stored }).coverage

  async function openSearch(query: BacktestQuery, request: ReadRequest): Promise<DraftSearch> {
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
  async function readOverlapping({ timeZone }: BacktestQuery, request: ReadRequest) {
    try {
      const listed = (await profiles.read(request)).value.profiles
      const matches = await findMatches(listed, boundsIn(timeZone))
      const found = listed.flatMap((profile, at) => {
        const matched = matches?.[at]
        return matched ? [{ ...profile, matched }] : []
      })
      return { profiles: found, unavailable: null }
    } catch (error) {
      if (error instanceof UpstreamError) return { profiles: [], unavailable: describeFailure(error) }
      throw error
    }
  }

  async function explain(criteria: ProfileCriteria, ids: readonly string[]) {
    const [threats, fullTexts] = await Promise.all([readThreats(database, ids), readFullTexts(database, ids)])
    return explainThreats(criteria, threats, fullTexts)
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

    async backtest(query, request) {
      const [search, overlapping] = await Promise.all([
        openSearch(query, request),
        readOverlapping(query, request),
      ])
      const { counted, sampleIds } = await runBacktest({
        query,
        search,
        profiles: overlapping.profiles,
        nowMs: clock.nowMs(),
      }).catch((error: unknown) => {
        throw request.signal.aborted ? givenUp() : error
      })
      const samples = await explain(query, sampleIds)
      const { freshness } = search.stored
      return { ...counted, overlapsUnavailable: overlapping.unavailable, samples, freshness }
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

    async explain(id, set, request) {
      const [cached, { answer }] = await Promise.all([profiles.read(request), readThreat(id, set, request)])
      const { freshness } = freshnessOf([cached])
      return { profiles: explainProfiles(cached.value.profiles, answer.threat), freshness }
    },
  }
}

function withMatches(profile: ReportedProfile, matched: MatchedRecords | undefined): AlertProfile {
  if (!matched) return { ...profile, window: null }
  const { records, rows } = matched
  const latest = records.at[rows[0] ?? -1]
  const latestAt = latest === undefined ? null : new Date(latest).toISOString()
  return { ...profile, window: { matches: rows.length, latestAt } }
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
