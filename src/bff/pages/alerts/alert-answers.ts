import { setImmediate } from 'node:timers/promises'
import { overdueInAlerts } from '#bff/alerts/filter-faults.ts'
import { notFound, nothingRead, ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession } from '#bff/http/route.ts'
import { listMutableProfiles } from '#bff/notify/mute-queries.ts'
import {
  listProfiles,
  type ProfileReader,
  profileReaderOf,
  type StoredProfile,
} from '#bff/notify/profile-queries.ts'
import {
  findProfileMatches,
  lastDays,
  type ProfileSearch,
  readProfileMatches,
  searchOf,
  selectWithin,
} from '#bff/pages/alerts/profiles/profile-matches.ts'
import { countConditions } from '#bff/store/count-conditions.ts'
import { hasAllTexts } from '#bff/store/full-text/full-text-queries.ts'
import type { RowFacts } from '#bff/store/index/index-rows.ts'
import { facetsOf, UNBOUNDED } from '#bff/store/index/select-rows.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import type { StoreFilter } from '#bff/store/read-filter.ts'
import { searchOfProfile } from '#bff/store/read-search.ts'
import { readFactsOf, readFactsOfDetail } from '#bff/store/records/index-queries.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import type { MatchedRecord } from '#bff/store/threat-store.ts'
import { countedPeriod, type Stored } from '#bff/time/counted-period.ts'
import { coverageOf } from '#bff/time/coverage.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { freshnessOf } from '#bff/upstream/cache/cached-answer.ts'
import type { ReadRequest } from '#bff/upstream/cache/read-request.ts'
import { codeOf, describeFailure } from '#bff/upstream/client/to-problem.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import type { ReportedProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import type {
  AlertList,
  AlertProfile,
  Backtest,
  BacktestQuery,
  ProfileMatches,
  ThreatProfiles,
} from '#contract/bff/alert.ts'
import { DEFAULT_PERIOD } from '#contract/bff/period.ts'
import { type ThreatFacets, type ThreatFilter, threatFilterSchema } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import { searchOfKeywords } from '#matcher/query/profile-keywords.ts'
import { leavesOf } from '#matcher/query/query-tree.ts'
import type { AlertContext } from './alert-context.ts'
import { runBacktest } from './backtest.ts'
import { readSummaries } from './profile-changes.ts'

const MATCHES_MAX_COUNT = 100

/** The profiles of the account, with their matches in the stored threats and, if Lantern sends, how their messages go. */
export async function listAlerts(
  context: AlertContext,
  timeZone: string,
  request: ReadRequest,
): Promise<AlertList> {
  const { profiles, store, clock } = context
  const cached = await profiles.read(request)
  const { profiles: listed, unreadable } = cached.value
  const counted: AlertProfile[] = []
  for (const profile of listed) {
    await setImmediate()
    counted.push(await countMatches(context, profile, timeZone))
  }
  const stored = await store.storedRange()
  // The time is that of the stored threats, because the vendor reports none for profiles.
  const { freshness } = freshnessOf([cached])
  const bounds = lastDays(timeZone, clock.nowMs())
  return {
    profiles: counted,
    extension: await readSummaries(context),
    unreadable,
    days: daysIn(context, timeZone, stored),
    freshness: {
      ...freshness,
      ...(stored && { coverage: coverageOf(stored.time, bounds, clock.nowMs()) }),
    },
  }
}

/** Counts the matches of one profile. */
export async function countMatches(
  context: AlertContext,
  profile: ReportedProfile,
  timeZone: string,
): Promise<AlertProfile> {
  return { ...profile, window: await readProfileMatches(searchOf(profile, timeZone), timeZone, context) }
}

/** Returns what keywords, or a search, would have matched. */
export async function backtest(
  context: AlertContext,
  query: BacktestQuery,
  reader: ProfileReader,
  request: ReadRequest,
): Promise<Backtest> {
  const { store, clock, database, upstream } = context
  const { keywords, timeZone } = query
  const stored = await store.storedRange()
  if (!stored) throw nothingStored()
  const bounds = lastDays(timeZone, clock.nowMs())
  const author = { accountId: reader.id }
  const select = (filter: StoreFilter) => selectWithin({ ...filter, timeZone, author }, bounds, context)
  const countOf = async (filter: StoreFilter) => (await select(filter)).selection.matched.length
  const filter = { ...query.filter, ...(keywords && { keywords }) }
  const found = await select(filter)
  if (found.isOfDue) throw overdueInAlerts(query.filter ?? {})
  // A backtest is worth showing without its overlaps with the vendor's profiles.
  const [own, vendor] = await Promise.all([
    listProfiles(database, reader),
    readVendorProfiles(context, request),
  ])
  const others = [
    ...vendor.profiles.map((profile) => ({ ...profile, search: searchOf(profile, timeZone) })),
    ...own.map((profile) => ({ ...profile, search: searchOfProfile(profile) })),
  ]
  const profiles = await findProfileMatches(others, bounds, context)
  const { counted, sampleIds } = runBacktest({ query, found, stored, nowMs: clock.nowMs(), profiles })
  const { rows, selection } = found
  const written = keywords
    ? { ...query.filter, q: searchOfKeywords(keywords.filter((keyword) => parseKeyword(keyword))) }
    : query.filter
  // Keywords may be too many or too long for a search.
  const narrower = threatFilterSchema.safeParse(written).success
    ? findNarrower(written, { matches: counted.matches, facets: facetsOf(rows, selection) })
    : []
  const { conditions } = keywords
    ? { conditions: [] }
    : await countConditions({ ...filter, timeZone }, { rows, countOf })
  const samples = await showMatches(context, { ...filter, author, timeZone }, sampleIds)
  const concerns = await readThreatConcerns(
    database,
    reader.id,
    samples.map(({ threat }) => threat),
  )
  return {
    ...counted,
    narrower,
    conditions,
    isFullText: await hasAllTexts(database, upstream.data('v1')),
    samples: samples.map(({ threat, keywords: words }) => ({
      threat: { ...threat, ...concerns.of(threat.id) },
      keywords: words,
    })),
    overlapsUnavailable: vendor.problem?.detail ?? null,
    freshness: stored.freshness,
  }
}

/** The newest records that one profile matches. */
export async function listMatches(
  context: AlertContext,
  id: string,
  timeZone: string,
  request: ReadRequest,
): Promise<ProfileMatches> {
  const { profiles, store, clock } = context
  const profile = (await profiles.read(request)).value.profiles.find((one) => one.id === id)
  if (!profile)
    throw notFound('There is no such alert profile in the list. It may have been deleted at the vendor.')
  const stored = await store.storedRange()
  if (!stored) throw nothingStored()
  const search = searchOf(profile, timeZone)
  const bounds = lastDays(timeZone, clock.nowMs())
  const { rows, selection } = await selectWithin(search, bounds, context)
  const ids = Array.from(selection.matched.subarray(0, MATCHES_MAX_COUNT), (row) => rows.ids[row] ?? '')
  return {
    matches: await showMatches(context, search, ids),
    total: selection.matched.length,
    days: daysIn(context, timeZone, stored),
    freshness: stored.freshness,
  }
}

/** Returns which profiles match one threat. */
export async function explainThreat(
  context: AlertContext,
  { id, set }: { id: string; set: RouteSet | null },
  session: ReaderSession,
  request: ReadRequest,
): Promise<ThreatProfiles> {
  const { database, readThreat } = context
  const [vendor, own, { answer }] = await Promise.all([
    readVendorProfiles(context, request),
    listProfiles(database, profileReaderOf(session)),
    readThreat(id, set, request),
  ])
  const facts = await readFactsOfDetail(database, answer.threat)
  const judged = await Promise.all([
    ...vendor.profiles.map((profile) => judgeVendorProfile(context, profile, facts)),
    ...own.map((profile) => judgeOwnProfile(context, profile, facts)),
  ])
  const verdicts = judged.flat()
  const ids = verdicts.map((verdict) => verdict.id)
  const mutable = new Map(
    (await listMutableProfiles(database, ids, session)).map((profile) => [profile.id, profile.canChange]),
  )
  const muteOf = (profileId: string) => (mutable.get(profileId) ? 'allowed' : 'refused')
  return {
    profiles: verdicts.map((verdict) => ({
      ...verdict,
      mute: mutable.has(verdict.id) ? muteOf(verdict.id) : 'vendor',
    })),
    vendorProblem: vendor.problem,
    freshness: vendor.freshness,
  }
}

function daysIn({ clock }: AlertContext, timeZone: string, stored: Stored) {
  return countedPeriod(DEFAULT_PERIOD, { timeZone, nowMs: clock.nowMs(), stored }).coverage
}

/** Records with the words of a search that each holds, as the search spells them. */
async function showMatches({ store, database }: AlertContext, search: ProfileSearch, ids: readonly string[]) {
  const [threats, facts] = await Promise.all([readThreats(database, ids), readFactsOf(database, ids)])
  const matched = await store.matchFacts(search, UNBOUNDED, facts)
  const byId = new Map(matched.map(({ id, leaves }) => [id, leaves]))
  return threats.map((threat) => ({ threat, keywords: wordsOf(byId.get(threat.id) ?? []) }))
}

/** A plan without profiles at the vendor keeps no profile of Lantern out of sight. */
async function readVendorProfiles({ profiles }: AlertContext, request: ReadRequest) {
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

/** Returns whether a search matches a record, and by which words; null if it cannot be evaluated. */
async function judge({ store, clock }: AlertContext, search: ProfileSearch, facts: RowFacts) {
  try {
    const [matched] = await store.matchFacts(search, feedBounds(search, clock.nowMs()), [facts])
    return { isMatch: matched !== undefined, words: wordsOf(matched?.leaves ?? []) }
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}

async function judgeVendorProfile(
  context: AlertContext,
  { id, name, keywords, categories }: ReportedProfile,
  facts: RowFacts,
) {
  const found = await judge(context, searchOf({ keywords, categories: [] }, 'UTC'), facts)
  const inCategory = await judge(context, searchOf({ keywords, categories }, 'UTC'), facts)
  const words = found?.words ?? []
  const verdict = inCategory?.isMatch ? 'matches' : found?.isMatch ? 'other_category' : 'no_keyword'
  return { id, name, verdict, keywords: words, categories } satisfies Verdict
}

async function judgeOwnProfile(
  context: AlertContext,
  profile: StoredProfile,
  facts: RowFacts,
): Promise<Verdict[]> {
  const { id, name } = profile
  // It is evaluated with its owner's rights, whoever reads the answer.
  const found = await judge(context, searchOfProfile(profile), facts)
  if (!found) return []
  const verdict = found.isMatch ? 'matches' : 'no_match'
  return [{ id, name, verdict, keywords: [], categories: [] }]
}

/** The reader's actions are added later. */
type Verdict = Omit<ThreatProfiles['profiles'][number], 'mute'>

function wordsOf(leaves: MatchedRecord['leaves']): string[] {
  return leaves.flatMap((leaf) => (leaf.kind === 'word' ? leaf.text : []))
}

function nothingStored(): ProblemError {
  return nothingRead('Matches are counted in the stored threats, and none is stored yet. Try again soon.')
}

type Narrower = Backtest['narrower'][number]

const VALUES_COUNT = 2

type Matched = {
  matches: number
  /** The counts that one more condition would leave. A record has one severity. */
  facets: ThreatFacets
}

/** Searches with one condition more, of a kind that the search does not have, and fewer matches than it. */
function findNarrower(filter: ThreatFilter, { matches, facets }: Matched): Narrower[] {
  const named = new Set(
    leavesOf(parseQuery(filter.q ?? '').tree).flatMap((leaf) => (leaf.kind === 'field' ? [leaf.name] : [])),
  )
  const frequent = (field: 'category' | 'country') =>
    facets[field].slice(0, VALUES_COUNT).map(({ value }) => ({ field, values: [value] }))
  const candidates: { field: Narrower['field']; values: string[] }[] = [
    { field: 'severity', values: ['critical'] },
    { field: 'severity', values: ['critical', 'high'] },
    ...frequent('category'),
    ...frequent('country'),
  ]
  return candidates.flatMap(({ field, values }) => {
    if (filter[field] !== undefined || named.has(field)) return []
    const count = facets[field]
      .filter(({ value }) => values.includes(value))
      .reduce((sum, own) => sum + own.count, 0)
    const isNarrower = count > 0 && count < matches
    return isNarrower ? [{ field, values, filter: { ...filter, [field]: values }, matches: count }] : []
  })
}
