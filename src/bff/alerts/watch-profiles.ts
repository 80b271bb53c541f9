import type { NewInboxItem } from '#bff/notify/inbox-queries.ts'
import { openRecipient } from '#bff/notify/recipient-seals.ts'
import {
  type FollowedView,
  readFollowedViews,
  readRecipients,
  type StoredRecipient,
} from '#bff/notify/watch-queries.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { type Destination, storeDestinations } from '#delivery/destinations.ts'
import { type LedgerAccess, toStorable } from '#delivery/ledger-access.ts'
import { type EvaluatedProfile, storedDaysOf } from './evaluate-changes.ts'

export type WatchProfileDependencies = {
  store: Pick<ThreatStore, 'matchFacts' | 'matchIds'>
  clock: Clock
  secret: string
  access: LedgerAccess
  /** Whether a mail server is set up. */
  hasEmail: boolean
}

/** Profiles that search as the feed does. */
export async function readWatchProfiles(
  tx: Database,
  dependencies: WatchProfileDependencies,
): Promise<EvaluatedProfile[]> {
  return (await readFollowedViews(tx)).map((view) => toEvaluated(view, dependencies))
}

function toEvaluated(
  view: FollowedView,
  { store, clock, ...sending }: WatchProfileDependencies,
): EvaluatedProfile {
  const filter = { ...view.filter, timeZone: view.timeZone }
  const words = view.filter.q === undefined ? [] : [view.filter.q]
  const boundsNow = () => feedBounds(filter, clock.nowMs())
  return {
    cause: { kind: 'watch', id: view.id, name: view.viewName },
    createdAt: view.createdAt,
    criteria: JSON.stringify(filter),
    async match(facts) {
      const ids = await store.matchFacts(filter, boundsNow(), facts)
      return new Map(ids.map((id) => [id, words]))
    },
    matchStored() {
      const { start, end } = boundsNow()
      const oldest = storedDaysOf(clock.nowMs())
      return store.matchIds(filter, { start: Math.max(start ?? oldest, oldest), end })
    },
    async readRecipients(tx) {
      const recipients = await readRecipients(tx, view.id)
      const destinations = destinationsOf(recipients, sending)
      return {
        destinationIds: [
          ...new Set(destinations.map(await storeDestinations(tx, destinations, sending.access))),
        ],
        inboxItems: (matched) => (view.state === 'active' ? inboxItemsOf(view, matched, recipients) : []),
      }
    },
  }
}

/** Where messages go; people without access receive none. */
export function destinationsOf(
  recipients: readonly StoredRecipient[],
  { secret, hasEmail }: { secret: string; hasEmail: boolean },
): Destination[] {
  return recipients.flatMap(({ channel, email, fingerprint, sealed }): Destination[] => {
    if (channel === 'user')
      return hasEmail && email !== null ? [{ channel: 'email', destination: email }] : []
    if (fingerprint === null || sealed === null) return []
    const destination = openRecipient(secret, channel, { fingerprint, sealed })
    return destination === null ? [] : [{ channel, destination }]
  })
}

/** For the owner, and the users among the recipients. */
function inboxItemsOf(
  { accountId, viewId, viewName }: FollowedView,
  matched: readonly Threat[],
  recipients: readonly StoredRecipient[],
): NewInboxItem[] {
  const users = recipients.flatMap(({ userId, email }) => (userId !== null && email !== null ? userId : []))
  const [first] = matched
  const title = `${matched.length === 1 ? '1 new threat' : `${matched.length} new threats`} in ${viewName}`
  const detail = toStorable(first?.title ?? 'Untitled threat')
  return [...new Set([accountId, ...users])].map((id) => ({
    accountId: id,
    kind: 'matches',
    title,
    detail,
    path: `/threats?view=${viewId}`,
  }))
}
