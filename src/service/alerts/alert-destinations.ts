import * as z from 'zod/mini'
import { maskEmail, maskWebhook } from '#contract/bff/mask-address.ts'
import type { AlertProfile } from '#contract/upstream/earlier/alert-profile.ts'
import type { Database } from '#database/database.ts'
import { type Destination, openDestination, storeDestinations } from '#delivery/destinations.ts'
import { type LedgerAccess, readDatabaseTime } from '#delivery/ledger-access.ts'

type Notifications = AlertProfile['notifications']
type Owner = { profileId: string; accountId: string }

/** As a profile's row has them: sealed. */
export const sealedDestinationsSchema = z.array(
  z.object({ channel: z.string(), fingerprint: z.string(), sealed: z.string() }),
)

/** What a profile's row has of them, for `openNotifications`. */
export const SEALED_DESTINATIONS = `
  (select coalesce(jsonb_agg(jsonb_build_object('channel', channel, 'fingerprint', encode(fingerprint, 'hex'),
                                                'sealed', encode(sealed, 'hex')) order by position), '[]')
     from alert_destination join delivery_destination on delivery_destination.id = destination_id
    where profile_id = alert_profile.id)`

const unsealedSchema = z.array(
  z.object({
    id: z.string(),
    accountId: z.string(),
    emails: z.nullable(z.array(z.string())),
    slack: z.nullable(z.string()),
    teams: z.nullable(z.string()),
  }),
)

export function createLedgerAccess(secret: string): LedgerAccess {
  const mask = (channel: string, destination: string) =>
    channel === 'email' ? maskEmail(destination) : maskWebhook(destination)
  return { secret, mask, readNow: readDatabaseTime }
}

/** In the clear, for whoever has the account's key. One that was sealed by another SECRET is not there. */
export function openNotifications(
  { hasEmails, destinations }: { hasEmails: boolean; destinations: z.infer<typeof sealedDestinationsSchema> },
  secret: string,
): Notifications {
  const opened = destinations.flatMap((sealed) => {
    const destination = openDestination(sealed, secret)
    return destination === null ? [] : [{ channel: sealed.channel, destination }]
  })
  const of = (channel: string) => opened.flatMap((one) => (one.channel === channel ? [one.destination] : []))
  return {
    email: hasEmails ? of('email') : null,
    slack: of('slack')[0] ?? null,
    teams: of('teams')[0] ?? null,
  }
}

export function listDestinations({ email, slack, teams }: Notifications, accountId: string): Destination[] {
  const given = [
    ...(email ?? []).map((destination) => ({ channel: 'email', destination })),
    ...(slack === null ? [] : [{ channel: 'slack', destination: slack }]),
    ...(teams === null ? [] : [{ channel: 'teams', destination: teams }]),
  ]
  return given.map((one) => ({ ...one, account: accountId }))
}

/** Instead of those that the profile has. */
export async function replaceDestinations(
  tx: Database,
  { profileId, accountId }: Owner,
  notifications: Notifications,
  access: LedgerAccess,
): Promise<void> {
  const destinations = listDestinations(notifications, accountId)
  const idOf = await storeDestinations(tx, destinations, access)
  const ids = [...new Set(destinations.map(idOf))]
  // Until the end of the transaction nobody prunes them.
  await tx.query(
    `update delivery_destination set is_kept = true
      where id in (select id from delivery_destination where id = any($1) order by id for update)`,
    [ids],
  )
  await releaseDestinations(tx, profileId, ids)
  await tx.query(
    `insert into alert_destination (profile_id, position, destination_id)
     select $1, position, id from unnest($2::uuid[]) with ordinality as given(id, position)`,
    [profileId, ids],
  )
}

/** What no other profile has may be pruned, once the ledger forgets it. */
export async function releaseDestinations(
  tx: Database,
  profileId: string,
  except: readonly string[] = [],
): Promise<void> {
  await tx.query(
    `with released as (delete from alert_destination where profile_id = $1 returning destination_id)
     update delivery_destination set is_kept = false
      where id in (select destination_id from released) and id <> all($2::uuid[])
        and not exists (
          select from alert_destination
           where destination_id = delivery_destination.id and profile_id <> $1)`,
    [profileId, except],
  )
}

/** Profiles of before destinations were sealed. */
export async function sealDestinations(db: Database, access: LedgerAccess): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.query(
      `select id, account_id as "accountId", emails, slack_webhook as slack, teams_webhook as teams
         from alert_profile where coalesce(emails::text, slack_webhook, teams_webhook) is not null for update`,
    )
    for (const { id, accountId, emails, slack, teams } of unsealedSchema.parse(rows)) {
      const notifications = { email: emails, slack, teams }
      await replaceDestinations(tx, { profileId: id, accountId }, notifications, access)
      await tx.query(
        'update alert_profile set emails = null, slack_webhook = null, teams_webhook = null where id = $1',
        [id],
      )
    }
  })
}
