import { listProfiles, type ProfileReader } from '#bff/notify/profile-queries.ts'
import { judgeRecipients, readRecipientsOf } from '#bff/notify/recipient-queries.ts'
import {
  type AlertHealth,
  DESTINATION_STATES,
  DESTINATIONS_MAX_COUNT,
  type ShownProblem,
} from '#contract/bff/alert-health.ts'
import { deliveryChannelSchema } from '#contract/delivery.ts'
import type { Database } from '#database/database.ts'
import { readHealthById } from '#delivery/destination-queries.ts'
import type { LedgerAccess } from '#delivery/ledger-access.ts'
import { listRecipientIds, listSourceProfiles } from '../source-queries.ts'
import { type AlertProblem, describeProblem } from './describe-problem.ts'

type Listed = AlertHealth['destinations'][number]

export type HealthDependencies = {
  database: Database
  access: LedgerAccess
  hasEmail: boolean
  /** Names the vendor's address and the keys as they are now. */
  keysName: () => string
}

/** Reports whether alerts reach people, for the profiles that a reader may see. */
export async function readAlertHealth(
  reader: ProfileReader,
  problems: readonly AlertProblem[],
  dependencies: HealthDependencies,
): Promise<AlertHealth> {
  const profiles = await listProfiles(dependencies.database, reader)
  const readable = new Map(profiles.map(({ id, name }) => [id, name]))
  const destinations = [
    ...(await listOwn(readable, dependencies)),
    ...(await listOfSource(dependencies)),
  ].sort((one, other) => rankOf(one) - rankOf(other) || compare(one.destination, other.destination))
  const shown = problems.map((problem) =>
    describeProblem(problem, {
      isAdmin: reader.isAdmin,
      canSee: ({ id, isTeam }) => isTeam || readable.has(id),
    }),
  )
  return {
    problems: shown.filter((problem): problem is ShownProblem => problem !== null),
    lastSentAt: destinations.reduce<string | null>(
      (latest, { health: { provenAt } }) => (provenAt && provenAt > (latest ?? '') ? provenAt : latest),
      null,
    ),
    destinations: destinations.slice(0, DESTINATIONS_MAX_COUNT),
    destinationCount: destinations.length,
  }
}

function rankOf({ health }: Listed): number {
  return DESTINATION_STATES.indexOf(health.state)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

/** Lists profiles that run in Lantern; a destination of several counts once. */
async function listOwn(
  readable: ReadonlyMap<string, string>,
  { database, access: { secret }, hasEmail }: HealthDependencies,
): Promise<Listed[]> {
  const recipients = await readRecipientsOf(database, [...readable.keys()])
  const listed = new Map<string, Listed>()
  for (const { recipient, health } of await judgeRecipients(database, recipients, { secret, hasEmail })) {
    if (!health) continue
    const { channel, userId, name, masked, fingerprint, profileId } = recipient
    const key = userId ?? `${channel} ${fingerprint}`
    const profile = { id: profileId, name: readable.get(profileId) ?? '' }
    const known = listed.get(key)
    if (known) known.profiles.push(profile)
    else
      listed.set(key, {
        channel: channel === 'user' ? 'email' : channel,
        destination: (channel === 'user' ? name : masked) ?? '',
        health,
        profiles: [profile],
      })
  }
  return [...listed.values()]
}

/** Lists profiles of our own service, which the team shares. */
async function listOfSource({ database, access, keysName }: HealthDependencies): Promise<Listed[]> {
  const profilesOf = new Map<string, { id: string; name: string }[]>()
  for (const { id, name } of await listSourceProfiles(database, keysName())) {
    for (const destinationId of await listRecipientIds(database, id))
      profilesOf.set(destinationId, [...(profilesOf.get(destinationId) ?? []), { id, name }])
  }
  const known = await readHealthById(database, [...profilesOf.keys()], access)
  return known.map(({ id, channel, masked, health }) => ({
    channel: deliveryChannelSchema.parse(channel),
    destination: masked,
    health,
    profiles: profilesOf.get(id) ?? [],
  }))
}
