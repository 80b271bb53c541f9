import { ProblemError } from '#bff/http/problem-error.ts'
import type { Clock } from '#bff/time/clock.ts'
import { freshnessOf } from '#bff/vendor/cache/cached-answer.ts'
import type { ReadRequest } from '#bff/vendor/cache/read-request.ts'
import { describeFailure } from '#bff/vendor/client/to-problem.ts'
import { UpstreamError } from '#bff/vendor/client/upstream-error.ts'
import type { ReadThreat } from '#bff/vendor/details/read-threats.ts'
import type { ReportedProfile } from '#bff/vendor/reader/read-alert-profiles.ts'
import { readThreats } from '#bff/window/store/threat-queries.ts'
import type { Window } from '#bff/window/window.ts'
import type {
  AlertList,
  AlertProfile,
  Backtest,
  BacktestQuery,
  ProfileMatches,
  ThreatProfiles,
} from '#contract/bff/alert.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { runBacktest } from './backtest.ts'
import { explainProfiles, explainThreats } from './explain-profiles.ts'
import { lastMonth } from './last-month.ts'
import type { ProfileList } from './profile-list.ts'
import { createFindMatches } from './profile-matches.ts'

const MATCHES_MAX_COUNT = 100

export type AlertAnswersDependencies = {
  profiles: ProfileList
  window: Pick<Window, 'storedRange' | 'indexRows'>
  readThreat: ReadThreat
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
  /** Profiles with what they match in the window. */
  countMatches(profiles: readonly ReportedProfile[], timeZone: string): Promise<AlertProfile[]>
}

/** The answers about alert profiles: the profiles come from the vendor's list, their matches from the window, free. */
export function createAlertAnswers({
  profiles,
  window,
  readThreat,
  database,
  clock,
}: AlertAnswersDependencies): AlertAnswers {
  const findMatches = createFindMatches()

  async function requireStored() {
    const [stored, rows] = await Promise.all([window.storedRange(), window.indexRows()])
    if (stored && rows) return { stored, rows }
    throw new ProblemError({
      code: 'window_empty',
      detail: 'Matches are counted in the stored threats, and none is stored yet. Try again soon.',
    })
  }

  async function countMatches(
    reported: readonly ReportedProfile[],
    timeZone: string,
  ): Promise<AlertProfile[]> {
    const { bounds } = lastMonth(timeZone, clock.nowMs())
    const rows = await window.indexRows()
    if (!rows) return reported.map((profile) => ({ ...profile, window: null }))
    const matched = await findMatches(rows, reported, bounds)
    return reported.map((profile, at) => {
      const matchedRows = matched[at] ?? []
      const latest = rows.at[matchedRows[0] ?? -1]
      const latestAt = latest === undefined ? null : new Date(latest).toISOString()
      return { ...profile, window: { matches: matchedRows.length, latestAt } }
    })
  }

  return {
    countMatches,

    async list(timeZone, request) {
      const [cached, stored] = await Promise.all([profiles.read(request), window.storedRange()])
      const { unreadable } = cached.value
      // Of what their matches are counted in; the vendor reports no time for the profiles.
      const { freshness } = freshnessOf([cached], stored ? { from: stored.from, to: stored.to } : undefined)
      return { profiles: await countMatches(cached.value.profiles, timeZone), unreadable, freshness }
    },

    async backtest(query, request) {
      const [{ stored, rows }, listed] = await Promise.all([requireStored(), readListed(profiles, request)])
      const { counted, sampleIds } = await runBacktest({
        query,
        rows,
        stored: { from: Date.parse(stored.from), to: Date.parse(stored.to) },
        profiles: listed.profiles,
        findMatches,
        nowMs: clock.nowMs(),
        signal: request.signal,
      }).catch((error: unknown) => {
        throw request.signal.aborted ? givenUp() : error
      })
      const samples = explainThreats(query, await readThreats(database, sampleIds))
      return { ...counted, overlapsUnavailable: listed.unavailable, samples, freshness: stored.freshness }
    },

    async matches(id, timeZone, request) {
      const { bounds } = lastMonth(timeZone, clock.nowMs())
      const [{ stored, rows }, cached] = await Promise.all([requireStored(), profiles.read(request)])
      const listed = cached.value.profiles
      const profile = listed.find((one) => one.id === id)
      if (!profile) throw noProfile()
      const matched = await findMatches(rows, listed, bounds)
      const matchedRows = matched[listed.indexOf(profile)] ?? []
      const ids = matchedRows.slice(0, MATCHES_MAX_COUNT).map((row) => rows.ids[row] ?? '')
      const threats = await readThreats(database, ids)
      return {
        matches: explainThreats(profile, threats),
        total: matchedRows.length,
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

/** A backtest is worth showing without its overlaps with other profiles. */
async function readListed(profiles: ProfileList, request: ReadRequest) {
  try {
    return { profiles: (await profiles.read(request)).value.profiles, unavailable: null }
  } catch (error) {
    if (error instanceof UpstreamError) return { profiles: [], unavailable: describeFailure(error) }
    throw error
  }
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
