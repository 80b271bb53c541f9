import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import {
  type AlertProfileStates,
  alertProfileStatesSchema,
} from '#contract/upstream/earlier/alert-profile.ts'
import type { Database } from '#database/database.ts'
import type { Destination } from '#delivery/destinations.ts'
import type { LedgerAccess } from '#delivery/ledger-access.ts'
import type { EvaluatedProfile } from './evaluate-changes.ts'
import { evaluateSearch } from './lantern-profiles.ts'
import {
  listRecipientIds,
  listSourceProfiles,
  type SourceProfile,
  storeSourceProfiles,
} from './source-queries.ts'

const REFUSALS: readonly string[] = ['set_forbidden', 'route_forbidden', 'forbidden']
/** A refusal is retried after this time, because the account's plan may have changed. */
const REFUSED_FOR_MS = 10 * 60_000

export type SourceProfileDependencies = {
  upstream: Upstream
  store: ThreatStore
  database: Database
  clock: Clock
  /** Identifies the vendor's address and the present keys. */
  keysName: () => string
  access: LedgerAccess
}

/**
 * Manages profiles that our own service stores. The dashboard sends their messages; a third-party vendor sends its own.
 */
export function createSourceProfiles(dependencies: SourceProfileDependencies) {
  const { upstream, database, clock, keysName, access } = dependencies

  let stored = ''
  let refusedUntilMs = 0

  /**
   * Reads the profiles again. If the service does not answer, the previous profiles stay in use; throws if there are
   * none.
   */
  async function renew(): Promise<void> {
    if (clock.elapsedMs() < refusedUntilMs || !(await upstream.offers('readAlertProfiles'))) return
    const source = keysName()
    try {
      const listed = await readSourceProfiles(upstream)
      const text = JSON.stringify([source, listed])
      if (text === stored) return
      const profiles = listed.map(toSourceProfile)
      await database.transaction((tx) => storeSourceProfiles(tx, { source, profiles }, access))
      stored = text
    } catch (error) {
      // An account whose plan has no alert profiles has nothing to evaluate.
      if (error instanceof UpstreamError && REFUSALS.includes(error.kind)) {
        refusedUntilMs = clock.elapsedMs() + REFUSED_FOR_MS
        return
      }
      const isKnown = (await listSourceProfiles(database, source)).length > 0
      if (!(error instanceof UpstreamError && isKnown)) throw error
    }
  }

  return {
    renew,
    async list(db: Database): Promise<EvaluatedProfile[]> {
      const profiles = await listSourceProfiles(db, keysName())
      return profiles.map((profile) => toEvaluated(profile, dependencies))
    },
  }
}
export type SourceProfiles = ReturnType<typeof createSourceProfiles>

type ListedProfile = AlertProfileStates['alert_profiles'][number]

/** Reads the account's profiles from our own service. It uses no API call of the quota. */
export async function readSourceProfiles(upstream: Upstream): Promise<ListedProfile[]> {
  const { data } = alertProfileStatesSchema.safeParse(await upstream.ask('readAlertProfiles', {}))
  if (!data) throw new UpstreamError({ set: 'earlier', kind: 'unreadable', reason: 'no alert profiles' })
  return data.alert_profiles
}

function toSourceProfile({ created_at: createdAt, notifications, ...profile }: ListedProfile) {
  const { id, name, keywords, categories, state } = profile
  const destinations = listNamedDestinations(notifications).map(({ name: _name, ...to }) => to)
  return { id, name, keywords, categories, state, createdAt, destinations }
}

/** Lists the destinations of a profile by their names: `email.1`, `slack`. */
export function listNamedDestinations({
  email,
  slack,
  teams,
}: ListedProfile['notifications']): (Destination & { name: string })[] {
  return [
    ...(email ?? []).map((destination, at) => ({ name: `email.${at}`, channel: 'email', destination })),
    ...(slack === null ? [] : [{ name: 'slack', channel: 'slack', destination: slack }]),
    ...(teams === null ? [] : [{ name: 'teams', channel: 'teams', destination: teams }]),
  ]
}

function toEvaluated(
  { id, name, keywords, categories, createdAt }: SourceProfile,
  dependencies: SourceProfileDependencies,
): EvaluatedProfile {
  return {
    cause: { id, name, isTeam: true },
    path: '/threats',
    createdAt,
    criteria: JSON.stringify({ keywords, categories }),
    ...evaluateSearch({ keywords, category: categories, timeZone: 'UTC' }, dependencies),
    readRecipients: async (tx) => ({
      audiences: [{ accountId: null, destinationIds: await listRecipientIds(tx, id) }],
      accountIds: [],
    }),
    waits: () => false,
  }
}
