import * as z from 'zod/mini'
import { deleteSessionsOf } from '#bff/accounts/sign-in/session-queries.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { applyOwnerChanges } from '#bff/notify/profile-queries.ts'
import { mentionSchema, writeMentions } from '#contract/bff/triage.ts'
import type { Database } from '#database/database.ts'
import { execute, findRow, onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { eraseDestinations } from './erase-destinations.ts'

/** This text replaces a person's address. */
const ERASED = 'erased person'
/** A shorter name is a part of too many words. */
const NAME_MIN_LENGTH = 3

const personSchema = z.object({ email: z.string(), name: z.string(), isDisabled: z.boolean() })
const knownSchema = z.object({ addresses: z.array(z.string()), notes: z.number() })
const heirSchema = z.object({ id: z.string(), email: z.string() })
const countSchema = onlyColumn(z.number())
const columnSchema = z.object({ table: z.string(), column: z.string(), question: z.string() })

type Erased = {
  /** The number of entries in the audit record. */
  entries: number
  notes: number
  lines: string[]
  /** The person's names. */
  words: string[]
}

/** The lines state what was erased and what stays, or why nothing was erased. */
export type Erasure = { isErased: boolean; lines: string[] }

/**
 * Erases an account and its person's data, on behalf of the owner. The team's knowledge of threats stays, without a name;
 * ids of the account stay, and identify nobody.
 */
export async function erasePerson(
  database: Database,
  accountId: string,
  /** Addresses are sealed by the first, or by those before it. */
  secrets: readonly string[],
): Promise<Erasure> {
  const erased = await database.transaction((tx) => eraseIn(tx, accountId, secrets))
  if ('refusal' in erased) return { isErased: false, lines: [erased.refusal] }
  const still = describeFound(erased.words, await findWords(database, erased.words))
  return {
    isErased: true,
    lines: [
      `Erased of ${accountId} in the audit record: names and addresses of ${erased.entries} entries`,
      ...erased.lines.map((line) => `Erased: ${line}`),
      `Stays: the id ${accountId} in audit record, triage history and calls, which leads to nobody now`,
      `Stays: what they wrote, without their name: comments ${erased.notes}; ${still}`,
      'Stays: what is not in this database: backups and logs of before, what the vendor knows (alert profiles and their destinations), the identity provider, which can let them in anew',
    ],
  }
}

function describeFound(words: readonly string[], found: readonly string[]): string {
  if (words.length === 0) return 'no text was searched, since nothing here knows what they were called'
  if (found.length === 0) return 'in no text of this database is their name or address'
  return `their name or address is still in ${found.join(', ')}: people wrote it, the vendor did, or somebody else is called so`
}

async function eraseIn(
  tx: Database,
  accountId: string,
  secrets: readonly string[],
): Promise<Erased | { refusal: string }> {
  const change = async (text: string, ...values: unknown[]) =>
    (await tx.query(text, [accountId, ...values])).rowCount
  const person = await findRow(tx, personSchema, [accountId])`
    select email, name, disabled_at is not null as "isDisabled" from account where id = $1 for update`
  if (person && !person.isDisabled)
    return { refusal: `Nothing was erased: disable ${person.email} in Settings, Users, first` }
  const { addresses, notes } = await readAddresses(tx, accountId)

  const events = await change('update triage_event set who = $2 where account_id = $1', ERASED)
  await eraseBefore(tx, addresses)
  const mentions = await eraseMentions(tx, accountId, ERASED)
  const cases = await change('update case_event set who = $2 where account_id = $1', ERASED)
  await tx.query('update case_decision set who = $2 where lower(who) = any($1)', [addresses, ERASED])
  const states = await eraseStates(tx, addresses)
  const drafts = await change('delete from alert_creation where account_id = $1')
  // Answers that are given again for a day, of others too. A name is a whole string there; a short one is in many words.
  await execute(tx, [[...addresses, ...(person ? [JSON.stringify(person.name).toLowerCase()] : [])]])`
    delete from idempotency_key
     where exists (select from unnest($1::text[]) as listed (word) where strpos(lower(answer), word) > 0)`
  const words = [...addresses, ...(person && person.name.length >= NAME_MIN_LENGTH ? [person.name] : [])]
  const destinations = await eraseDestinations(tx, {
    addresses,
    secrets,
    mark: ERASED,
    words: [...addresses, ...(person ? [person.name.toLowerCase()] : [])],
  })
  const handedOver = await handOverShared(tx, accountId)
  const views = await change('delete from saved_view where account_id = $1')
  const lists = await change('delete from name_list where account_id = $1')
  await deleteSessionsOf(tx, accountId)
  await notifyLive(tx, { kind: 'triage' })
  await notifyLive(tx, { kind: 'views' })
  await notifyLive(tx, { kind: 'lists' })
  // The foreign key alone would leave their profiles to the admins without a notice.
  await applyOwnerChanges(tx)
  const accounts = await change('delete from account where id = $1')
  const entries = await readRow(tx, countSchema, [accountId, addresses])`select erase_audited_person($1, $2)`
  const account = 'with its sessions, places, links, second factors and preferences'
  return {
    entries,
    notes,
    words,
    lines: [
      accounts > 0 ? `the account, ${account}` : 'no account: none has this id',
      `their name in triage: changes ${events}, threats ${states}, mentions ${mentions}; in cases: changes ${cases}`,
      `views ${views}, lists of names ${lists}${handedOver}; drafts of alerts ${drafts}`,
      `their address in messages ${destinations.messages}, in alert profiles ${destinations.recipients}${
        destinations.unopened > 0
          ? `; ${destinations.unopened} addresses were sealed by another SECRET and stay, whosever they are`
          : ''
      }`,
    ],
  }
}

/** All that the person was ever called in triage, and how many comments of theirs there are. */
async function readAddresses(tx: Database, accountId: string) {
  const known = await readRow(tx, knownSchema, [accountId, ERASED])`
    with known as (
      select lower(who) as address from triage_event where account_id = $1 and who <> $2
      union select lower(who) from case_event where account_id = $1 and who <> $2
      union select email from account where id::text = $1)
    select coalesce((select array_agg(address) from known), '{}') as addresses,
           (select count(*) from triage_event where account_id = $1 and action = 'note') as notes`
  return known
}

async function eraseStates(tx: Database, addresses: readonly string[]): Promise<number> {
  const by = (column: string) => `${column} = case when lower(${column}) = any($1) then $2 else ${column} end`
  return execute(tx, [addresses, ERASED])`
    update triage_state set ${by('read_by')}, ${by('starred_by')}, ${by('dismissed_by')}, ${by('owned_by')}
     where lower(read_by) = any($1) or lower(starred_by) = any($1) or lower(dismissed_by) = any($1)
        or lower(owned_by) = any($1)`
}

/** States that undoing would bring back. */
async function eraseBefore(tx: Database, addresses: readonly string[]): Promise<void> {
  await execute(tx, [addresses, ERASED])`
    update triage_event
       set before = (
             select jsonb_object_agg(key, case when lower(value ->> 'who') = any($1)
                                            then jsonb_set(value, '{who}', to_jsonb($2::text)) else value end)
               from jsonb_each(before))
     where exists (
       select from jsonb_each(case jsonb_typeof(before) when 'object' then before else '{}' end)
        where lower(value ->> 'who') = any($1))`
}

/** Views and lists of the team stay with it. Returns a text that names the new owner. */
async function handOverShared(tx: Database, accountId: string): Promise<string> {
  const heir = await findRow(tx, heirSchema, [accountId])`
    select id, email from account where id <> $1
     order by disabled_at is not null, role <> 'admin', created_at limit 1`
  if (!heir) return ''
  const views = await execute(tx, [accountId, heir.id])`
    update saved_view set account_id = $2, feed_token_hash = null where account_id = $1 and is_shared`
  const lists = await execute(tx, [accountId, heir.id])`
    update name_list set account_id = $2 where account_id = $1 and is_shared`
  const stay = views + lists
  return stay > 0 ? ` (shared ones, which are ${heir.email}’s now, stay: ${stay})` : ''
}

/** Finds the columns of any table that hold one of some words, in any letter case. */
async function findWords(db: Database, words: readonly string[]): Promise<string[]> {
  const rows = await readRows(db, columnSchema)`
    select table_name as table, column_name as column,
           format('select count(*) from %1$I where exists (select from unnest($1::text[]) as listed (word)
                     where strpos(lower(%2$I::text), lower(word)) > 0)', table_name, column_name) as question
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema() and table_type = 'BASE TABLE' and data_type in ('text', 'jsonb', 'ARRAY')
     order by table_name, ordinal_position`
  const places: string[] = []
  for (const { table, column, question } of rows) {
    const count = await readRow(db, countSchema, [words])`${question}`
    if (count > 0) places.push(`${table}.${column} (${count})`)
  }
  return places
}

const commentSchema = z.object({ id: z.string(), text: z.string(), mentions: z.array(mentionSchema) })

/** Writes a mark in the place of a person's name, wherever a comment mentions their account. Returns the number of comments. */
async function eraseMentions(tx: Database, accountId: string, mark: string): Promise<number> {
  // Their name is in the notices that others have of their comments.
  await execute(tx, [accountId])`
    delete from inbox_item where triage_event_id in (select id from triage_event where account_id = $1)`
  const comments = await readRows(tx, commentSchema, [JSON.stringify([{ accountId }])])`
    select id::text, text, mentions from triage_event where mentions @> $1::jsonb for update`
  for (const { id, text: before, mentions } of comments) {
    const { text, ranges } = writeMentions(
      before,
      mentions.map((mention) => ({
        ...mention,
        name: mention.accountId === accountId ? mark : before.slice(mention.start + 1, mention.end),
      })),
    )
    const left = mentions
      .map((mention, at) => ({ ...mention, ...ranges[at] }))
      .filter((mention) => mention.accountId !== accountId)
    await execute(tx, [id, text, JSON.stringify(left)])`
      update triage_event set text = $2, mentions = $3 where id = $1`
    await tx.query('update inbox_item set detail = $2 where triage_event_id = $1', [id, text])
  }
  return comments.length
}
