import * as z from 'zod/mini'
import {
  type Mention,
  ownersSchema,
  type TriageEventAction,
  type TriageHistory,
  triageEventActionSchema,
  triageHistorySchema,
} from '#contract/bff/triage.ts'
import { type TriageState, triageStateSchema } from '#contract/bff/triage-state.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { affectsRows, execute, findRow, onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { namedAs, personName } from './person-name.ts'

/** Each aspect can be undone without touching the others. */
export type Aspect = 'read' | 'starred' | 'closed' | 'owner'

/** The tables keep the words that older Lanterns know, so that they can run beside a newer one during an upgrade. */
const COLUMNS: Readonly<Record<Aspect, string>> = {
  read: 'read',
  starred: 'starred',
  closed: 'dismissed',
  owner: 'owned',
}
const STORED_ACTIONS: Readonly<Partial<Record<TriageEventAction, string>>> = {
  close: 'dismiss',
  reopen: 'restore',
}
const ACTION = `case action when 'dismiss' then 'close' when 'restore' then 'reopen' else action end`

/** The owner can act on cases. */
const IS_ACTIVE = `(select disabled_at is null and role <> 'viewer' from account where id = owner_id)`

/** SQL of the team's state of a threat. `whoOf` turns the email of whoever did something into what the state says. */
function stateOf(whoOf: (email: string) => string): string {
  const mark = (name: string, more = '') => `
    case when ${name}_at is not null then json_build_object(
      'at', ${isoUtc(`${name}_at`)}, 'who', ${whoOf(`${name}_by`)}${more}) end`
  return `
    threat_id as id, ${mark('read')} as read, ${mark('starred')} as starred,
    ${mark('dismissed', `, 'reason', dismissed_reason, 'text', dismissed_text`)} as closed,
    case when owner_id is not null then json_build_object(
      'at', ${isoUtc('owned_at')}, 'who', ${whoOf('owned_by')}, 'ownerId', owner_id, 'isMe', owner_id::text = $2,
      'name', ${personName('account.id = owner_id')}, 'isActive', ${IS_ACTIVE}) end as owner, notes`
}

/** As tables keep it: with emails. */
const STATE = stateOf((email) => email)
/** As people read it: with names. */
const NAMED_STATE = stateOf(namedAs)

export async function readStates(db: Database, ids: readonly string[]): Promise<TriageState[]> {
  return readRows(db, triageStateSchema, [ids, ''])`
    select ${STATE} from triage_state where threat_id = any($1)`
}

export async function readNamedStates(
  db: Database,
  ids: readonly string[],
  readerId: string,
): Promise<TriageState[]> {
  return readRows(db, triageStateSchema, [ids, readerId])`
    select ${NAMED_STATE} from triage_state where threat_id = any($1) order by threat_id`
}

/** Names whoever had an email when they did something. */
export async function readPersonName(db: Database, email: string): Promise<string> {
  return readRow(db, onlyColumn(z.string()), [email])`
    select ${namedAs('$1::text')} as name`
}

/** Reads and locks the states until the transaction ends. */
export async function lockStates(
  db: Database,
  ids: readonly string[],
  readerId: string,
): Promise<TriageState[]> {
  const inOrder = [...ids].sort()
  await execute(db, [inOrder])`
    insert into triage_state (threat_id) select unnest($1::text[]) on conflict (threat_id) do nothing`
  return readRows(db, triageStateSchema, [inOrder, readerId])`
    select ${STATE} from triage_state where threat_id = any($1) order by threat_id for update`
}

/** Columns of an aspect beside when and by whom. An owner who is gone is none. */
const MORE: Readonly<Partial<Record<Aspect, string>>> = {
  closed: ', dismissed_reason = given.reason, dismissed_text = given.text',
  owner: ', owner_id = (select account.id from account where account.id = given."ownerId")',
}

/** Sets one aspect of some threats, each as given; null is how it begins. */
export async function writeAspect(
  db: Database,
  aspect: Aspect,
  values: ReadonlyMap<string, object | null>,
): Promise<void> {
  const rows = [...values].map(([id, value]) => ({ id, ...value }))
  const column = COLUMNS[aspect]
  const more = MORE[aspect] ?? ''
  await execute(db, [JSON.stringify(rows)])`
    update triage_state
       set ${column}_at = given.at, ${column}_by = given.who${more}
      from jsonb_to_recordset($1::jsonb) as given(id text, at timestamptz, who text, reason text, text text, "ownerId" uuid)
     where threat_id = given.id`
}

/**
 * Reads the claims of the cases that some threats belong to, with a name of each case. A threat that no case has stands
 * alone.
 */
export async function readCasesOf(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const claims = await readRows(db, z.object({ id: z.string(), caseId: z.string() }), [ids])`
    select distinct claim.threat_id as id, claim.case_id::text as "caseId"
      from case_claim own join case_claim claim using (case_id)
     where own.threat_id = any($1)`
  const alone = ids.map((id) => [id, `alone ${id}`] as const)
  return new Map([...alone, ...claims.map(({ id, caseId }) => [id, caseId] as const)])
}

/** Reads the analysts and admins whose accounts are not disabled, by name. */
export async function listOwners(db: Database): Promise<z.infer<typeof ownersSchema>['owners']> {
  return readRows(db, ownersSchema.shape.owners.def.element)`
    select id, ${personName('account.id = active.id')} as name
      from account active where disabled_at is null and role <> 'viewer' order by lower(active.name), id`
}

/** Returns true for an analyst or admin whose account is not disabled. */
export async function canOwn(db: Database, accountId: string): Promise<boolean> {
  return affectsRows(db, [accountId])`
    select from account where id = $1 and disabled_at is null and role <> 'viewer' for key share`
}

/** Sets how many comments some threats have, which no event says. Under the lock of cases, which orders its revisions. */
export async function shareNotes(db: Database, ids: readonly string[], notes: number): Promise<void> {
  await execute(db, [ids, notes])`
    update triage_state set notes = $2, shared_revision = nextval('case_revision') where threat_id = any($1)`
}

/** Counts the comments on any of some threats that nobody has undone. */
export async function countNotes(db: Database, ids: readonly string[]): Promise<number> {
  return readRow(db, onlyColumn(z.int()), [ids])`
    select count(*)::int as notes from triage_event
     where threat_ids && $1::text[] and action = 'note' and undone_by is null`
}

export async function addNotes(db: Database, ids: readonly string[], count: 1 | -1): Promise<void> {
  await db.query('update triage_state set notes = notes + $2 where threat_id = any($1)', [ids, count])
}

export type TriageEvent = {
  accountId: string
  who: string
  action: TriageEventAction
  ids: readonly string[]
  reason: string | null
  text: string | null
  ownerId: string | null
  mentions?: readonly Mention[]
  before: Readonly<Record<string, unknown>>
}

/** Any number will do, as long as every process takes the same one. */
const EVENTS_LOCK = 7_276_396

/** Returns the event's id. The newest id names a revision, so that ids must come to light in their order. */
export async function addEvent(db: Database, event: TriageEvent): Promise<string> {
  await db.query('select pg_advisory_xact_lock($1)', [EVENTS_LOCK])
  const row = await readRow(db, z.object({ id: z.string() }), [
    event.accountId,
    event.who,
    storedAction(event.action),
    event.ids,
    event.reason,
    event.text,
    JSON.stringify(event.before),
    event.ownerId,
    JSON.stringify(event.mentions ?? []),
  ])`
    insert into triage_event (account_id, who, action, threat_ids, reason, text, before, owner_id, mentions)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id::text`
  return row.id
}

function storedAction(action: TriageEventAction): string {
  return STORED_ACTIONS[action] ?? action
}

const undoableSchema = z.object({
  action: triageEventActionSchema,
  ids: z.array(z.string()),
  before: z.record(z.string(), z.unknown()),
  isUndone: z.boolean(),
  isOvertaken: z.boolean(),
})
export type Undoable = z.infer<typeof undoableSchema>

/** An event, and whether a later one of these actions has changed one of its threats. Nobody else changes them now. */
export async function findUndoable(
  db: Database,
  id: string,
  rivals: (action: TriageEventAction) => readonly TriageEventAction[],
): Promise<Undoable | null> {
  const event = await findRow(db, undoableSchema, [id])`
    select ${ACTION} as action, threat_ids as ids, before, undone_by is not null as "isUndone", false as "isOvertaken"
      from triage_event where id = $1 for update`
  if (!event) return null
  // The lock orders concurrent changes by their time, and those of other claims of the same cases.
  await lockStates(db, [...(await readCasesOf(db, event.ids)).keys()], '')
  const isOvertaken = await affectsRows(db, [id, event.ids, rivals(event.action).map(storedAction)])`
    select 1 from triage_event
     where id > $1 and threat_ids && $2 and action = any($3) and undone_by is null limit 1`
  return { ...event, isOvertaken }
}

const SHARED = `account_id = 'lantern' and undone_by is null`

/** The events by which Lantern gave claims what an event gave to others of their cases before, newest first. */
export async function findShared(
  db: Database,
  eventId: string,
  claimIds: readonly string[],
): Promise<string[]> {
  return readRows(db, onlyColumn(z.string()), [eventId, claimIds])`
    select id::text from triage_event
     where ${SHARED} and id > $1 and threat_ids && $2::text[]
       and (action, coalesce(reason, ''), coalesce(owner_id::text, '')) = (
         select action, coalesce(reason, ''), coalesce(owner_id::text, '') from triage_event where id = $1)
     order by triage_event.id desc`
}

const givenSchema = z.extend(undoableSchema, { id: z.string() })

/**
 * The events by which Lantern gave some claims what others of their cases had, newest first, without those of which a later
 * action has changed the same again. Under the lock of cases.
 */
export async function findGiven(
  db: Database,
  claimIds: readonly string[],
): Promise<z.infer<typeof givenSchema>[]> {
  return readRows(db, givenSchema, [claimIds])`
    select id::text, ${ACTION} as action, threat_ids as ids, before, false as "isUndone", false as "isOvertaken"
      from triage_event given
     where ${SHARED} and action in ('dismiss', 'assign', 'star') and threat_ids && $1::text[]
       and not exists (
         select from triage_event later
          where later.id > given.id and later.threat_ids && given.threat_ids and later.undone_by is null
            and later.action = any(case given.action
              when 'dismiss' then array['dismiss', 'restore']
              when 'star' then array['star', 'unstar']
              else array['assign', 'release'] end))
     order by given.id desc`
}

/** Says of an event that these of its threats are no longer as it has made them. */
export async function takeFromEvent(
  db: Database,
  { id, ids }: { id: string; ids: readonly string[] },
  by: string,
): Promise<void> {
  await execute(db, [id, ids, by])`
    update triage_event
       set undone_by = case when threat_ids <@ $2::text[] then $3::bigint end,
           threat_ids = case when threat_ids <@ $2::text[] then threat_ids
             else array(select unnest(threat_ids) except select unnest($2::text[])) end
     where id = $1`
}

export async function markUndone(db: Database, id: string, by: string): Promise<void> {
  await db.query('update triage_event set undone_by = $2 where id = $1', [id, by])
}

/** Those that no list has named and that nobody has acted on. */
export async function listUnknown(db: Database, ids: readonly string[]): Promise<string[]> {
  return readRows(db, onlyColumn(z.string()), [[...new Set(ids)]])`
    select id from unnest($1::text[]) as given(id)
     where not exists (select from window_threat where window_threat.id = given.id)
       and not exists (select from listed_threat where listed_threat.id = given.id)
       and not exists (select from triage_state where threat_id = given.id)`
}

/**
 * Deletes events from before a day, the oldest first. Comments stay, because they are part of a threat's state. The newest
 * event of all stays too, because it names the revision.
 */
export async function deleteOldEvents(tx: Database, before: string, most: number): Promise<number> {
  return execute(tx, [before, most])`
    delete from triage_event
     where id in (
       select id from triage_event
        where at < $1::timestamptz and (action <> 'note' or undone_by is not null)
          and id < (select max(id) from triage_event)
        order by at, id limit $2)`
}

/** SQL of whom an event mentions, by their present names. */
export const NAMED_MENTIONS = `coalesce(
  (select json_agg(json_build_object('start', start, 'end', "end", 'name', name) order by start)
     from jsonb_to_recordset(mentions) as mention("accountId" uuid, start int, "end" int)
     join account on account.id = "accountId"), '[]')`

/** Reads the newest actions on a threat, and on the other claims of its case. */
export async function readHistory(db: Database, threatId: string): Promise<TriageHistory> {
  const events = await readRows(db, triageHistorySchema.shape.events.def.element, [threatId])`
    select id::text, ${isoUtc('at')} as at, coalesce(${personName('account.id::text = account_id')}, who) as who, ${ACTION} as action, reason, text,
           ${personName('account.id = triage_event.owner_id')} as owner,
           ${NAMED_MENTIONS} as mentions,
           undone_by is not null as "isUndone"
      from triage_event
     where threat_ids && array(
             select $1 union select claim.threat_id
               from case_claim own join case_claim claim using (case_id) where own.threat_id = $1)
     order by triage_event.id desc limit 200`
  return { events }
}

const markedSchema = z.object({
  ids: z.array(z.string()),
  isRead: z.boolean(),
  isStarred: z.boolean(),
  isClosed: z.boolean(),
  hasComment: z.boolean(),
  ownerId: z.nullable(z.string()),
  /** Name and email of the owner, as searches find them; empty for none. */
  ownerText: z.string(),
  /** The owner can act on cases; true where there is none. */
  isOwnerActive: z.boolean(),
})
export type Marked = z.infer<typeof markedSchema>

/** Every threat with a triage state, by the states: few are different ones. */
export async function readMarked(db: Database): Promise<Marked[]> {
  return readRows(db, markedSchema)`
    select json_agg(threat_id) as ids, read_at is not null as "isRead", starred_at is not null as "isStarred",
           dismissed_at is not null as "isClosed", notes > 0 as "hasComment",
           owner_id::text as "ownerId", coalesce(name || ' ' || email, '') as "ownerText",
           coalesce(disabled_at is null and role <> 'viewer', true) as "isOwnerActive"
      from triage_state left join account on account.id = owner_id
     group by 2, 3, 4, 5, 6, 7, 8`
}

const activitySchema = z.object({ id: z.string(), at: z.number() })
/** Each takes a moment to be taken in, in which nobody else is answered. */
const ACTIVITY_BATCH_COUNT = 5_000

/**
 * Returns when the team last changed each threat, epoch milliseconds; after a revision, only later changes. Old events
 * are deleted: then the newest remaining mark counts.
 */
export async function readActivity(
  db: Database,
  since: number | null,
): Promise<z.infer<typeof activitySchema>[]> {
  const all: z.infer<typeof activitySchema>[] = []
  for (;;) {
    const batch = await readRows(db, activitySchema, [since, all.at(-1)?.id ?? null])`
      select id, max(extract(epoch from at)::float8 * 1000) as at
        from (
          select unnest(threat_ids) collate "C" as id, at from triage_event where $1::bigint is null or id > $1
          union all
          select threat_id, greatest(read_at, starred_at, dismissed_at, owned_at) from triage_state where $1 is null
        ) done
       where at is not null and ($2::text is null or id > $2)
       group by id
       order by id
       limit ${ACTIVITY_BATCH_COUNT}`
    for (const one of batch) all.push(one)
    if (batch.length < ACTIVITY_BATCH_COUNT) return all
  }
}

/** A text that changes with every triage action, with comments that are shared, and with whatever of an owner marks have. */
export async function readMarksRevision(db: Database): Promise<string> {
  return readRow(db, onlyColumn(z.string()))`
    select (select coalesce(max(id), 0) from triage_event) || ' ' ||
           (select coalesce(max(shared_revision), 0) from triage_state) || ' ' || coalesce(sum(hashtextextended(
             concat_ws(' ', id, name, email, role, disabled_at is null), 0)), 0) as revision
      from account`
}

/** A number that changes with every triage action. */
export async function readRevision(db: Database): Promise<number> {
  return readRow(db, onlyColumn(z.int()))`
    select coalesce(max(id), 0) as revision from triage_event`
}
