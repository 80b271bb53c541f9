import * as z from 'zod/mini'
import { distinctMailboxes } from '#contract/mailbox.ts'
import type { AlertProfile } from '#contract/upstream/earlier/alert-profile.ts'
import type { Database } from '#database/database.ts'
import { execute, readRows } from '#database/read-rows.ts'
import { openSealed, seal } from '#server/seal.ts'

type Notifications = AlertProfile['notifications']

/** The former ledger sealed its destinations with this purpose too. */
const PURPOSE = 'delivery destination'

const sealedSchema = z.object({
  channel: z.string(),
  /** The seal is bound to this, and to the channel. */
  sealedTo: z.string(),
  sealed: z.string(),
})
type SealedDestination = z.infer<typeof sealedSchema>

/** A profile's row holds sealed destinations. */
export const sealedDestinationsSchema = z.array(sealedSchema)
const storedSchema = z.extend(sealedSchema, { profileId: z.string(), position: z.int() })

/** Selects a profile's destinations for `openNotifications`. */
export const SEALED_DESTINATIONS = `
  (select coalesce(jsonb_agg(jsonb_build_object('channel', channel, 'sealedTo', sealed_to,
                                                'sealed', encode(sealed, 'hex')) order by position), '[]')
     from alert_destination where profile_id = alert_profile.id)`

const unsealedSchema = z.object({
  id: z.string(),
  emails: z.nullable(z.array(z.string())),
  slack: z.nullable(z.string()),
  teams: z.nullable(z.string()),
})

/** Returns destinations in clear text. One that was sealed by another SECRET is left out. */
export function openNotifications(
  { hasEmails, destinations }: { hasEmails: boolean; destinations: readonly SealedDestination[] },
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

/** Instead of those that the profile has. */
export async function replaceDestinations(
  tx: Database,
  profileId: string,
  { email, slack, teams }: Notifications,
  secret: string,
): Promise<void> {
  const given = [
    ...distinctMailboxes(email ?? []).map((destination) => ({ channel: 'email', destination })),
    ...(slack === null ? [] : [{ channel: 'slack', destination: slack }]),
    ...(teams === null ? [] : [{ channel: 'teams', destination: teams }]),
  ]
  const rows = given.map(({ channel, destination }, position) => {
    const sealedTo = `${profileId} ${position}`
    const sealed = seal(destination, placeOf(channel, sealedTo), secret).toString('hex')
    return { position, channel, sealed_to: sealedTo, sealed }
  })
  await tx.query('delete from alert_destination where profile_id = $1', [profileId])
  await execute(tx, [profileId, JSON.stringify(rows)])`
    insert into alert_destination (profile_id, position, channel, sealed_to, sealed)
    select $1, position, channel, sealed_to, decode(sealed, 'hex')
      from jsonb_to_recordset($2::jsonb) as given(position integer, channel text, sealed_to text, sealed text)`
}

/** Profiles of before destinations were sealed. */
export async function sealDestinations(db: Database, secret: string): Promise<void> {
  await db.transaction(async (tx) => {
    const rows = await readRows(tx, unsealedSchema)`
      select id, emails, slack_webhook as slack, teams_webhook as teams
        from alert_profile where coalesce(emails::text, slack_webhook, teams_webhook) is not null for update`
    for (const { id, emails, slack, teams } of rows) {
      await replaceDestinations(tx, id, { email: emails, slack, teams }, secret)
      await execute(tx, [id])`
        update alert_profile set emails = null, slack_webhook = null, teams_webhook = null where id = $1`
    }
  })
}

/** After SECRET was replaced: seals anew what the one before opens. */
export async function resealAlertDestinations(
  db: Database,
  { secret, before }: { secret: string; before: string },
): Promise<void> {
  const rows = await readRows(db, storedSchema)`
    select profile_id as "profileId", position, channel, sealed_to as "sealedTo", encode(sealed, 'hex') as sealed
      from alert_destination`
  for (const { profileId, position, ...row } of rows) {
    const destination = openDestination(row, secret) === null ? openDestination(row, before) : null
    if (destination === null) continue
    await execute(db, [
      profileId,
      position,
      seal(destination, placeOf(row.channel, row.sealedTo), secret).toString('hex'),
      row.sealed,
    ])`
      update alert_destination set sealed = decode($3, 'hex')
       where profile_id = $1 and position = $2 and sealed = decode($4, 'hex')`
  }
}

/** Null where it was sealed by another secret. */
function openDestination({ channel, sealedTo, sealed }: SealedDestination, secret: string): string | null {
  return openSealed(Buffer.from(sealed, 'hex'), placeOf(channel, sealedTo), secret)
}

function placeOf(channel: string, sealedTo: string) {
  return { purpose: PURPOSE, row: [channel, sealedTo] }
}
