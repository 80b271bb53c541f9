import * as z from 'zod/mini'
import { viewSchema } from '#contract/bff/view.ts'
import { type Watch, type WatchRecipient, watchRecipientSchema } from '#contract/bff/watch.ts'
import { watchUsersSchema } from '#contract/bff/watch-users.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { stopCause } from '#delivery/causes.ts'
import { readEndedAt } from '#delivery/destinations.ts'
import { summarizeCause } from '#delivery/ledger.ts'
import { readDatabaseTime } from '#delivery/ledger-access.ts'
import { addInboxItems } from './inbox-queries.ts'
import { listAdmins } from './list-admins.ts'
import { openRecipient } from './recipient-seals.ts'

const filterSchema = z.pipe(
  z.string(),
  z.transform((text) => viewSchema.shape.filter.parse(JSON.parse(text))),
)

/** A watch as the database has it, for whoever changes it. */
const storedWatchSchema = z.object({
  id: z.uuid(),
  viewId: z.uuid(),
  viewName: z.string(),
  accountId: z.uuid(),
  owner: z.object({ name: z.string(), isMe: z.boolean() }),
  state: z.enum(['active', 'paused']),
  isShared: z.boolean(),
  /** What it looks for. */
  filter: filterSchema,
  timeZone: z.string(),
  createdAt: z.iso.datetime(),
})
export type StoredWatch = z.infer<typeof storedWatchSchema>

const recipientSchema = z.object({
  id: z.uuid(),
  channel: z.enum(['user', 'email', 'slack', 'teams', 'webhook']),
  userId: z.nullable(z.uuid()),
  /** Of a user who may still sign in. */
  email: z.nullable(z.string()),
  name: z.nullable(z.string()),
  fingerprint: z.nullable(z.string()),
  sealed: z.nullable(z.string()),
  masked: z.nullable(z.string()),
  sealedSecret: z.nullable(z.string()),
})
export type StoredRecipient = z.infer<typeof recipientSchema>

const followedSchema = z.object({
  id: z.uuid(),
  accountId: z.uuid(),
  viewId: z.uuid(),
  viewName: z.string(),
  filter: filterSchema,
  timeZone: z.string(),
  state: z.enum(['active', 'paused']),
  createdAt: z.iso.datetime(),
})
/** A watch with what it looks for. */
export type FollowedView = z.infer<typeof followedSchema>

const WATCH = `
  select watch.id, view_id as "viewId", saved_view.name as "viewName", watch.account_id as "accountId",
         json_build_object('name', account.name, 'isMe', account.id = $1) as owner, watch.state,
         is_shared as "isShared", filter, time_zone as "timeZone", ${isoUtc('watch.created_at')} as "createdAt"
    from watch join saved_view on saved_view.id = view_id join account on account.id = watch.account_id`

/** Whether an account is a recipient. */
const TELLS = 'exists (select from watch_recipient where watch_id = watch.id and user_id = $1)'

const idsSchema = z.array(z.object({ id: z.uuid() }))

/** Whose deliveries an account may read: of its own watches, of the team's views and of those that notify it. */
export async function listReadableWatchIds(db: Database, accountId: string): Promise<string[]> {
  const { rows } = await db.query(
    `select watch.id from watch join saved_view on saved_view.id = view_id
      where is_shared or watch.account_id = $1 or ${TELLS}`,
    [accountId],
  )
  return idsSchema.parse(rows).map(({ id }) => id)
}

/** Whose deliveries an account may send again: a recipient of somebody else's private watch may only read them. */
export async function listChangeableWatchIds(db: Database, accountId: string): Promise<string[]> {
  const { rows } = await db.query(
    `select watch.id from watch join saved_view on saved_view.id = view_id
      where is_shared or watch.account_id = $1`,
    [accountId],
  )
  return idsSchema.parse(rows).map(({ id }) => id)
}

/** One's own, those of the team's views, and those that tell oneself; all of them for an admin. */
export async function listWatches(
  db: Database,
  { id, isAdmin }: { id: string; isAdmin: boolean },
): Promise<StoredWatch[]> {
  const { rows } = await db.query(
    `${WATCH} where $2 or is_shared or watch.account_id = $1 or ${TELLS}
      order by lower(saved_view.name), watch.created_at, watch.id`,
    [id, isAdmin],
  )
  return z.array(storedWatchSchema).parse(rows)
}

export async function findWatch(db: Database, id: string, accountId: string): Promise<StoredWatch | null> {
  const { rows } = await db.query(`${WATCH} where watch.id = $2`, [accountId, id])
  return z.array(storedWatchSchema).parse(rows)[0] ?? null
}

/** A watch as people see it, but for what the window knows of its search. */
export async function describeWatch(
  db: Database,
  watch: StoredWatch,
  secret: string,
): Promise<Omit<Watch, 'searchFaults'>> {
  const { id, viewId, viewName, owner, state, createdAt } = watch
  const recipients: WatchRecipient[] = []
  for (const recipient of await readRecipients(db, id)) {
    recipients.push(toShown(recipient, await readEnd(db, recipient, secret)))
  }
  const summary = await summarizeCause(db, { kind: 'watch', id }, readDatabaseTime)
  return { id, viewId, viewName, owner, state, createdAt, recipients, ...summary }
}

export async function readRecipients(db: Database, watchId: string): Promise<StoredRecipient[]> {
  const { rows } = await db.query(
    `select recipient.id, channel, user_id as "userId", account.name,
            case when disabled_at is null then email end as email,
            encode(fingerprint, 'hex') as fingerprint, encode(sealed, 'hex') as sealed, masked,
            encode(sealed_secret, 'hex') as "sealedSecret"
       from watch_recipient recipient left join account on account.id = user_id
      where watch_id = $1 order by position, recipient.id`,
    [watchId],
  )
  return z.array(recipientSchema).parse(rows)
}

/** Of a signed webhook: other channels are never ended by their answer. */
async function readEnd(
  db: Database,
  { channel, fingerprint, sealed }: StoredRecipient,
  secret: string,
): Promise<string | null> {
  if (channel !== 'webhook' || fingerprint === null || sealed === null) return null
  const destination = openRecipient(secret, channel, { fingerprint, sealed })
  return destination === null ? null : readEndedAt(db, { channel, destination }, secret)
}

function toShown(
  { id, channel, userId, name, masked }: StoredRecipient,
  endedAt: string | null,
): WatchRecipient {
  return watchRecipientSchema.parse(
    channel === 'user'
      ? { id, channel, userId, name }
      : { id, channel, destination: masked, ...(endedAt !== null && { endedAt }) },
  )
}

/** Null where the account watches the view already. */
export async function insertWatch(db: Database, viewId: string, accountId: string): Promise<string | null> {
  const { rows } = await db.query(
    `insert into watch (view_id, account_id) values ($1, $2) on conflict (view_id, account_id) do nothing returning id`,
    [viewId, accountId],
  )
  return idsSchema.parse(rows)[0]?.id ?? null
}

export async function setWatchState(db: Database, id: string, state: StoredWatch['state']): Promise<void> {
  await db.query('update watch set state = $2, stopped_because = null where id = $1', [id, state])
}

export async function deleteWatch(db: Database, { id, viewName }: Named): Promise<void> {
  await stopCause(db, { kind: 'watch', id, name: viewName }, 'deleted')
  await db.query('delete from watch where id = $1', [id])
}

type Named = Pick<StoredWatch, 'id' | 'viewName'>
const namedRowSchema = z.object({ id: z.uuid(), viewName: z.string(), accountId: z.uuid() })
const namedSchema = z.array(namedRowSchema)

/** Before a view is deleted: its watches end with it. */
export async function endWatchesOf(db: Database, viewId: string): Promise<void> {
  const { rows } = await db.query(
    `select watch.id, name as "viewName", watch.account_id as "accountId"
       from watch join saved_view on saved_view.id = view_id where view_id = $1`,
    [viewId],
  )
  for (const watch of namedSchema.parse(rows)) await deleteWatch(db, watch)
}

const stoppedSchema = z.array(
  z.extend(namedRowSchema, { ownerName: z.string(), because: z.enum(['owner', 'view']) }),
)

/**
 * Pauses watches whose owner is disabled or a viewer by now, or may not see the view any more; the ledger says so of what
 * waits, and the bells of admins say it too.
 */
export async function stopUnfitWatches(db: Database): Promise<void> {
  const { rows } = await db.query(
    `update watch
        set state = 'paused',
            stopped_because = case when account.disabled_at is not null or account.role = 'viewer'
              then 'owner' else 'view' end
       from saved_view, account
      where saved_view.id = view_id and account.id = watch.account_id and watch.state = 'active'
        and (account.disabled_at is not null or account.role = 'viewer'
          or (not is_shared and saved_view.account_id <> watch.account_id and account.role <> 'admin'))
     returning watch.id, saved_view.name as "viewName", watch.account_id as "accountId", account.name as "ownerName",
               stopped_because as because`,
  )
  const stopped = stoppedSchema.parse(rows)
  for (const { id, viewName } of stopped) await stopCause(db, { kind: 'watch', id, name: viewName }, 'paused')
  if (stopped.length === 0) return
  const admins = await listAdmins(db)
  await addInboxItems(
    db,
    admins.flatMap(({ id }) => stopped.map((watch) => ({ accountId: id, ...describeStopped(watch) }))),
  )
}

function describeStopped({ viewName, ownerName, because }: z.infer<typeof stoppedSchema>[number]) {
  const why = because === 'owner' ? 'may have no watches any more' : 'may not see its view any more'
  return {
    kind: 'notice' as const,
    title: `The watch of “${viewName}” is paused`,
    detail: `${ownerName}, whose watch it is, ${why}. It tells nobody of new matches until it is resumed.`,
    path: '/alerts',
  }
}

export async function isWatched(db: Database, viewId: string): Promise<boolean> {
  return (await db.query('select from watch where view_id = $1', [viewId])).rowCount > 0
}

/** All watches whose view is looked at; what matches a paused one is in the ledger too, as not sent. */
export async function readFollowedViews(db: Database): Promise<FollowedView[]> {
  const { rows } = await db.query(
    `select watch.id, watch.account_id as "accountId", view_id as "viewId", saved_view.name as "viewName", filter,
            time_zone as "timeZone", watch.state, ${isoUtc('watch.created_at')} as "createdAt"
       from watch join saved_view on saved_view.id = view_id order by watch.id`,
  )
  return z.array(followedSchema).parse(rows)
}

export type NewRecipient = Omit<StoredRecipient, 'email' | 'name'>

/** Exactly these from now on, in this order. */
export async function replaceRecipients(
  db: Database,
  watchId: string,
  recipients: readonly NewRecipient[],
): Promise<void> {
  await db.query('delete from watch_recipient where watch_id = $1 and id <> all($2::uuid[])', [
    watchId,
    recipients.map(({ id }) => id),
  ])
  await db.query(
    `insert into watch_recipient
       (id, watch_id, position, channel, user_id, fingerprint, sealed, masked, sealed_secret)
     select id, $1, position, channel, "userId", decode(fingerprint, 'hex'), decode(sealed, 'hex'), masked,
            decode("sealedSecret", 'hex')
       from jsonb_to_recordset($2::jsonb)
         as given(id uuid, position integer, channel text, "userId" uuid, fingerprint text, sealed text, masked text,
                  "sealedSecret" text)
     on conflict (id) do update set position = excluded.position`,
    [watchId, JSON.stringify(recipients.map((recipient, position) => ({ ...recipient, position })))],
  )
}

/** Returns whether the user was told. */
export async function removeRecipient(db: Database, watchId: string, userId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from watch_recipient where watch_id = $1 and user_id = $2', [
    watchId,
    userId,
  ])
  return rowCount > 0
}

/** Accounts that may sign in. */
export async function listActiveUsers(db: Database): Promise<{ id: string; name: string }[]> {
  const { rows } = await db.query(
    'select id, name from account where disabled_at is null order by lower(name), id',
  )
  return watchUsersSchema.shape.users.parse(rows)
}

/** Which of these are accounts that may sign in. */
export async function countActiveUsers(db: Database, ids: readonly string[]): Promise<number> {
  const { rowCount } = await db.query(
    'select from account where id = any($1::uuid[]) and disabled_at is null',
    [ids],
  )
  return rowCount
}

type Told = { channel: string; destination: string; fingerprint: string }

/** Marks what a delivery has of watches of which nobody at its destination is a recipient any more. */
export async function leaveOutUnwanted(
  tx: Database,
  { deliveryId, channel, destination, fingerprint }: Told & { deliveryId: string },
): Promise<void> {
  await tx.query(
    `update delivery_match set left_out = 'removed'
      where delivery_id = $1 and left_out is null and cause_kind = 'watch'
        and not exists (
          select from watch_recipient recipient left join account on account.id = user_id
           where watch_id::text = cause_id
             and ((channel = $2 and fingerprint = decode($4, 'hex'))
               or ($2 = 'email' and lower(email) = lower($3) and disabled_at is null)))`,
    [deliveryId, channel, destination, fingerprint],
  )
}

/** Whether an address is that of an account that may sign in. */
export async function isAddressOfUser(db: Database, address: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from account where lower(email) = lower($1) and disabled_at is null',
    [address],
  )
  return rowCount > 0
}
