import type { NewInboxItem } from '#bff/notify/inbox-queries.ts'
import { pathToFeed } from '#bff/notify/link-to-matches.ts'
import { causeOf, readActiveProfiles, type StoredProfile } from '#bff/notify/profile-queries.ts'
import { destinationsOf, readRecipients, type StoredRecipient } from '#bff/notify/recipient-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds, intersect } from '#bff/time/time-range.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { storeDestinations } from '#delivery/destinations.ts'
import { type LedgerAccess, toStorable } from '#delivery/ledger-access.ts'
import { type EvaluatedProfile, storedDaysOf } from './evaluate-changes.ts'

export type LanternProfileDependencies = {
  store: Pick<ThreatStore, 'matchFacts' | 'select'>
  clock: Clock
  secret: string
  access: LedgerAccess
  /** Whether a mail server is set up. */
  hasEmail: boolean
}

/** Profiles that run in Lantern: they search as the feed does. */
export async function readLanternProfiles(
  tx: Database,
  dependencies: LanternProfileDependencies,
): Promise<EvaluatedProfile[]> {
  return (await readActiveProfiles(tx)).map((profile) => toEvaluated(profile, dependencies))
}

function toEvaluated(
  profile: StoredProfile,
  { store, clock, ...sending }: LanternProfileDependencies,
): EvaluatedProfile {
  const filter = { ...profile.filter, timeZone: profile.timeZone }
  const words = profile.filter.q === undefined ? [] : [profile.filter.q]
  const boundsNow = () => feedBounds(filter, clock.nowMs())
  return {
    cause: causeOf(profile),
    createdAt: profile.createdAt,
    criteria: JSON.stringify(filter),
    async match(facts) {
      const ids = await store.matchFacts(filter, boundsNow(), facts)
      return new Map(ids.map((id) => [id, words]))
    },
    async matchStored() {
      const bounds = intersect(boundsNow(), { start: storedDaysOf(clock.nowMs()), end: null })
      const { rows, selection } = await store.select(filter, bounds)
      return Array.from(selection.matched, (row) => rows.ids[row] ?? '')
    },
    async readRecipients(tx) {
      const recipients = await readRecipients(tx, profile.id)
      const destinations = destinationsOf(recipients, sending)
      return {
        destinationIds: [
          ...new Set(destinations.map(await storeDestinations(tx, destinations, sending.access))),
        ],
        inboxItems: (matched) =>
          profile.state === 'active' ? inboxItemsOf(profile, matched, recipients) : [],
      }
    },
  }
}

/** For the owner, if there is one, and the users among the recipients. */
function inboxItemsOf(
  { accountId, name, filter }: StoredProfile,
  matched: readonly Threat[],
  recipients: readonly StoredRecipient[],
): NewInboxItem[] {
  const users = recipients.flatMap(({ userId, email }) => (userId !== null && email !== null ? userId : []))
  const [first] = matched
  const title = `${matched.length === 1 ? '1 new threat' : `${matched.length} new threats`} in ${name}`
  const detail = toStorable(first?.title ?? 'Untitled threat')
  return [...new Set([...(accountId === null ? [] : [accountId]), ...users])].map((id) => ({
    accountId: id,
    kind: 'matches',
    title,
    detail,
    path: pathToFeed(filter),
  }))
}
