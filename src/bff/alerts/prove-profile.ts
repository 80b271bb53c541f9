import type { Log } from '#bff/http/log.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { ringBells } from '#bff/notify/inbox-queries.ts'
import { causeOf, findProfile, type StoredProfile, setNextProof } from '#bff/notify/profile-queries.ts'
import { destinationsOf, readRecipients } from '#bff/notify/recipient-queries.ts'
import { readThreatConcerns } from '#bff/store/lists/threat-concerns.ts'
import { searchOfProfile } from '#bff/store/read-search.ts'
import { readFactsOf } from '#bff/store/records/index-queries.ts'
import { readThreats } from '#bff/store/records/threat-queries.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import type { Destination } from '#delivery/destinations.ts'
import { insertDeliveries } from '#delivery/enqueue.ts'
import { readLedgerTime } from '#delivery/ledger-access.ts'
import { activeUsersOf, bellsOf, type Evaluating, pathOfProfile } from './lantern-profiles.ts'
import { runForProfiles } from './run-for-profiles.ts'

/**
 * The ledger entries of a test, and the title of the record that it sends. The title is null if no stored record
 * matches. `users` are the recipients who see the test in Notifications, even if they get no mail.
 */
export type Proof = { to: Destination[]; sent: { id: string }[]; record: string | null; users: string[] }

/**
 * Sends the newest record that a profile matches to all its recipients and to the bells that ring for its matches. The
 * message is marked as a test. `requestedBy` is null for the weekly test.
 */
export async function proveProfile(
  tx: Database,
  profile: StoredProfile,
  { requestedBy, ...dependencies }: Evaluating & { requestedBy: string | null },
): Promise<Proof> {
  const { access, origin } = dependencies
  const newest = await findNewestMatch(tx, profile, dependencies)
  const recipients = await readRecipients(tx, profile.id)
  const to = destinationsOf(recipients, dependencies)
  const record = newest && (newest.title ?? 'Untitled threat')
  // All destinations get the same message, so it names only the team's lists.
  const concerns = await readThreatConcerns(tx, null, newest ? [newest] : [])
  const path = newest ? `/threats/${pathSegment(newest.id)}` : pathOfProfile(profile)
  const test = {
    kind: 'test',
    causes: [causeOf(profile)],
    requestedBy,
    ...(record !== null && { proof: record }),
    ...concerns.of(newest?.id ?? ''),
    link: origin + path,
  } as const
  const sent = await insertDeliveries(tx, to, test, access)
  const bell = { title: `Test of ${profile.name}`, detail: record ?? 'No stored record matches.', path }
  await ringBells(tx, bellsOf(profile.accountId, recipients), { kind: 'matches', ...bell })
  return { to, sent: sent.map((id) => ({ id })), record, users: activeUsersOf(recipients) }
}

/** Sends the weekly tests that are due. Each test is enqueued in the transaction that schedules the next one. */
export async function sendProofs(database: Database, dependencies: Evaluating & { log: Log }): Promise<void> {
  const { access, log } = dependencies
  await runForProfiles(
    database,
    { job: 'proof', isDue: 'coalesce(proof_due <= $1, false)', access, log },
    async (tx, id) => {
      const now = await readLedgerTime(tx, access)
      await tx.query('select from alert_profile where id = $1 for no key update', [id])
      const profile = await findProfile(tx, id, null)
      if (!profile?.nextProofAt || Date.parse(profile.nextProofAt) > now.getTime()) return
      await setNextProof(tx, profile, now)
      if (profile.state === 'active') await proveProfile(tx, profile, { ...dependencies, requestedBy: null })
    },
  )
}

/**
 * Finds the newest stored record that a profile matches, with the search of its alerts. Returns null if there is none.
 */
async function findNewestMatch(
  tx: Database,
  profile: StoredProfile,
  { store, clock }: Evaluating,
): Promise<Threat | null> {
  if ((await store.storedRange()) === null) return null
  const search = searchOfProfile(profile)
  const bounds = feedBounds(search, clock.nowMs())
  try {
    const { rows, selection } = await store.select(search, bounds)
    const id = rows.ids[selection.matched[0] ?? -1]
    if (id === undefined) return null
    const [found] = await store.matchFacts(search, bounds, await readFactsOf(tx, [id]))
    const [threat] = await readThreats(tx, found ? [found.id] : [])
    return threat ?? null
  } catch (error) {
    // A search that cannot be evaluated matches nothing.
    if (error instanceof ProblemError) return null
    throw error
  }
}
