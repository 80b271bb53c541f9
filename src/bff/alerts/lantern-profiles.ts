import { ProblemError } from '#bff/http/problem-error.ts'
import { pathToFeed } from '#bff/notify/link-to-matches.ts'
import { causeOf, NOTHING, readActiveProfiles, type StoredProfile } from '#bff/notify/profile-queries.ts'
import { destinationsOf, readRecipients, type StoredRecipient } from '#bff/notify/recipient-queries.ts'
import type { StoreFilter } from '#bff/store/read-filter.ts'
import { readSearch, type Search, type SearchContext, searchOfProfile } from '#bff/store/read-search.ts'
import type { MatchedRecord, ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { isQuiet } from '#bff/time/schedule.ts'
import { feedBounds, intersect } from '#bff/time/time-range.ts'
import { FACET_NAMES } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { storeDestinations } from '#delivery/destinations.ts'
import type { LedgerAccess } from '#delivery/ledger-access.ts'
import { printField, printQuery, writeValue } from '#matcher/query/print-query.ts'
import { groupAudiences } from './audiences.ts'
import { type EvaluatedProfile, isCritical, type ProfileMatching, storedDaysOf } from './evaluate-changes.ts'
import type { Sender } from './send-matches.ts'

/** Dependencies of sending messages of profiles. */
export type Sending = {
  secret: string
  access: LedgerAccess
  /** True if a mail server is set up. */
  hasEmail: boolean
  /** The origin at which browsers reach Lantern. */
  origin: string
}

/** Dependencies of evaluating profiles. */
export type Evaluating = Sending & { store: ThreatStore; searchContext: SearchContext; clock: Clock }

/** Reads the profiles that run in Lantern. They search as the feed does. */
export async function readLanternProfiles(
  tx: Database,
  dependencies: Evaluating,
): Promise<EvaluatedProfile[]> {
  return Promise.all(
    (await readActiveProfiles(tx)).map(async (profile) =>
      toEvaluated(profile, await describeCriteria(profile, dependencies), dependencies),
    ),
  )
}

/** Describes what a profile searches for, with the searches of the profiles that it names. */
async function describeCriteria(
  profile: StoredProfile,
  { searchContext, clock }: Evaluating,
): Promise<string> {
  const { filter, timeZone } = profile
  if (!/(?:profile|list|entry|match):/i.test(filter.q ?? '')) return JSON.stringify({ ...filter, timeZone })
  const search = searchOfProfile(profile)
  try {
    const { profiles, lists } = await readSearch(searchContext, search, feedBounds(search, clock.nowMs()))
    return JSON.stringify({ ...filter, timeZone, profiles: describeNamed(profiles), lists: lists?.version })
  } catch (error) {
    // The evaluation fails by the same error, and keeps its previous state.
    if (error instanceof ProblemError) return JSON.stringify({ ...filter, timeZone, profiles: null })
    throw error
  }
}

function describeNamed(profiles: Search['profiles']): unknown[] {
  return [...profiles.values()].flat().map(({ filter, search }) => {
    const { q: _q, ...filters } = filter
    return [filters, printQuery(search.tree), describeNamed(search.profiles), search.lists?.version]
  })
}

function toEvaluated(
  profile: StoredProfile,
  criteria: string,
  { store, clock, ...sending }: Evaluating,
): EvaluatedProfile {
  const { schedule, timeZone, state, isShift } = profile
  // An earlier version of Lantern, without Shift digests, may have stored a search for this profile.
  const search = searchOfProfile(isShift ? { ...profile, filter: NOTHING } : profile)
  return {
    ...toSender(profile, sending),
    ...evaluateSearch(search, { store, clock }),
    createdAt: profile.createdAt,
    criteria,
    // Matches of a paused profile are enqueued at once. The ledger shows them as not sent.
    waits(threat, now) {
      if (state === 'paused') return false
      if (schedule.kind !== 'atOnce') return true
      const { quiet } = schedule
      if (quiet === null || (quiet.isCriticalAtOnce && isCritical(threat.severity))) return false
      return isQuiet(quiet, timeZone, now.getTime())
    },
  }
}

/** Converts filters to fields of the query language. */
function fieldsOf(filter: StoreFilter): string[] {
  return FACET_NAMES.flatMap((name) => {
    const values = filter[name]?.map((value) => writeValue(value, name)) ?? []
    return values.length === 0 ? [] : `${name}:${values.join(',')}`
  })
}

/** Evaluates any profile. Keywords and categories become part of its search. */
export function evaluateSearch(
  filter: StoreFilter & { timeZone: string },
  { store, clock }: { store: ThreatStore; clock: Clock },
): ProfileMatching {
  const boundsNow = () => feedBounds(filter, clock.nowMs())
  return {
    async match(facts) {
      const matched = await store.matchFacts(filter, boundsNow(), facts)
      const fields = fieldsOf(filter)
      const textOf = (leaf: MatchedRecord['leaves'][number]) =>
        leaf.kind === 'word' ? leaf.text : printField(leaf)
      return new Map(matched.map(({ id, leaves }) => [id, [...leaves.map(textOf), ...fields]]))
    },
    async matchStored() {
      const bounds = intersect(boundsNow(), { start: storedDaysOf(clock.nowMs()), end: null })
      const { rows, selection } = await store.select(filter, bounds)
      return Array.from(selection.matched, (row) => rows.ids[row] ?? '')
    },
  }
}

/** Returns the page that shows what a profile sends. */
export function pathOfProfile({ filter, isShift }: StoredProfile): string {
  return isShift ? '/shift' : pathToFeed(filter)
}

/** Lists the accounts whose bells ring: the owner, if there is one, and recipients who can sign in. */
export function bellsOf(ownerId: string | null, recipients: readonly StoredRecipient[]): string[] {
  return [...new Set([...(ownerId === null ? [] : [ownerId]), ...activeUsersOf(recipients)])]
}

/** Lists the recipients who are users that can sign in. */
export function activeUsersOf(recipients: readonly StoredRecipient[]): string[] {
  return recipients.flatMap(({ userId, email }) => (userId !== null && email !== null ? userId : []))
}

/**
 * Creates the sender of a profile's messages. It notifies recipients, the bell of the owner, and bells of users among
 * the recipients.
 */
export function toSender(profile: StoredProfile, sending: Sending): Sender {
  const { id, accountId, state } = profile
  return {
    cause: causeOf(profile),
    path: pathOfProfile(profile),
    async readRecipients(tx) {
      const recipients = await readRecipients(tx, id)
      const destinations = recipients.flatMap((recipient) =>
        destinationsOf([recipient], sending).map((to) => ({ ...to, accountId: recipient.userId })),
      )
      const find = await storeDestinations(tx, destinations, sending.access.secret)
      return {
        audiences: groupAudiences(
          destinations.map((one) => ({ id: find(one).id, accountId: one.accountId })),
        ),
        accountIds: state === 'active' ? bellsOf(accountId, recipients) : [],
      }
    },
  }
}
