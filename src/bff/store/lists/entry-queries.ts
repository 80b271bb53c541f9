import * as z from 'zod/mini'
import { ENTRIES_PAGE_COUNT, type EntryPage, listEntrySchema } from '#contract/bff/list.ts'
import { ENTRIES_MAX_COUNT, type EntryDraft, entryDraftSchema } from '#contract/bff/list-draft.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, findRow, readRow, readRows } from '#database/read-rows.ts'
import { explainEntry } from '#matcher/names/explain-entry.ts'
import { CHANGED_BY_PEOPLE } from './list-queries.ts'
import { registrableDomains } from './registrable-domain.ts'
import { COUNTED_MATCHES } from './visible-lists.ts'

/** The limit of entries in all lists together, because each new threat is compared with all of them. */
export const ALL_ENTRIES_MAX_COUNT = 50_000
/** An advisory lock under which entries are counted, so that concurrent requests cannot exceed a limit. */
const ENTRY_LOCK = 14

const NO_MATCHES = { certain: 0, toConfirm: 0 }
const entryRowSchema = z.pipe(
  z.pipe(
    z.looseObject({ name: z.string(), domains: z.array(z.string()), matched: z.nullable(z.unknown()) }),
    z.transform((row) => ({
      ...row,
      everydayName: explainEntry({ name: row.name }).everydayName,
      matched: row.matched ?? NO_MATCHES,
    })),
  ),
  listEntrySchema,
)

type EntriesRequest = {
  listId: string
  q?: string | undefined
  /** Returns only this entry. */
  entry?: string | undefined
  offset: number
  /** Returns entries after this id, in the order of ids. */
  after?: string | undefined
}

/** A page of a list's entries: those with matched threats first, the newest first, then by name; or by id. */
export async function readEntries(
  db: Database,
  { listId, q, entry, offset, after }: EntriesRequest,
): Promise<EntryPage> {
  const rows = await readRows(db, z.unknown(), [listId, q ?? '', offset, entry, after])`
    select list_entry.id, name, domains, note, key, weight, not is_matched as "isMatching", matched,
           ${isoUtc('latest')} as "latestAt", (count(*) over ())::int as total
      from list_entry
      left join (
        select entry_id, max(sorted_at) as latest,
               json_build_object('certain', count(*) filter (where certainty = 'certain'),
                                 'toConfirm', count(*) filter (where certainty <> 'certain')) as matched
          from ${COUNTED_MATCHES} matched join window_threat on window_threat.id = threat_id
         where entry_id in (select id from list_entry where list_id = $1)
         group by entry_id) found on found.entry_id = list_entry.id
     where list_id = $1 and strpos(lower(concat_ws(' ', name, array_to_string(domains, ' '), note, key)), lower($2)) > 0
       and ($4::uuid is null or list_entry.id = $4) and ($5::uuid is null or list_entry.id > $5)
     order by case when $5::uuid is null then latest end desc nulls last,
              case when $5::uuid is null then lower(name) end, list_entry.id
     limit ${ENTRIES_PAGE_COUNT} offset $3`
  if (rows.length === 0 && offset > 0) {
    const { total } = await readEntries(db, { listId, q, entry, offset: 0, after })
    return { entries: [], total }
  }
  const [{ total = 0 } = {}] = z.array(z.object({ total: z.optional(z.int()) })).parse(rows.slice(0, 1))
  return { entries: z.array(entryRowSchema).parse(rows), total }
}

/** Returns null if the list has no such entry. */
export async function findEntry(db: Database, listId: string, id: string): Promise<EntryDraft | null> {
  return findRow(db, entryDraftSchema, [listId, id])`
    select name, domains, note, key, weight from list_entry where list_id = $1 and id = $2`
}

/**
 * Adds all entries or none. Entries whose name and domains are in the list stay unchanged. Returns the number of added
 * entries. Null if that would exceed the limit of a list or of all lists.
 */
export async function addEntries(
  db: Database,
  listId: string,
  entries: readonly EntryDraft[],
): Promise<number | null> {
  await db.query('select pg_advisory_xact_lock($1)', [ENTRY_LOCK])
  const rowCount = await execute(db, [
    listId,
    JSON.stringify(
      entries.map((entry, position) => ({
        ...entry,
        position,
        domains: entry.domains.toSorted(),
        registrable: registrableDomains(entry.domains),
      })),
    ),
  ])`
    insert into list_entry (list_id, name, domains, registrable, note, key, weight)
    select distinct on (lower(name), domains) $1::uuid, name, domains, registrable, note, key, weight
      from (select position, name, note, key, weight,
                   array(select jsonb_array_elements_text(domains)) as domains,
                   array(select jsonb_array_elements_text(registrable)) as registrable
              from jsonb_to_recordset($2::jsonb) as given (
                position int, name text, domains jsonb, registrable jsonb, note text, key text, weight text)) given
     where not exists (
       select from list_entry known
        where known.list_id = $1 and lower(known.name) = lower(given.name) and known.domains = given.domains)
     order by lower(name), domains, position`
  await touchList(db, listId)
  const { whole, own } = await readRow(db, z.object({ whole: z.int(), own: z.int() }), [listId])`
    select count(*) as whole, count(*) filter (where list_id = $1) as own from list_entry`
  return own > ENTRIES_MAX_COUNT || whole > ALL_ENTRIES_MAX_COUNT ? null : rowCount
}

/** Replaces an entry. If its name or domains change, it is compared again with all stored threats. */
export async function updateEntry(
  db: Database,
  { listId, id }: { listId: string; id: string },
  entry: EntryDraft,
): Promise<void> {
  await touchList(db, listId)
  await execute(db, [
    id,
    entry.name,
    entry.domains.toSorted(),
    registrableDomains(entry.domains),
    entry.note,
    entry.key,
    entry.weight,
  ])`
    update list_entry
       set name = $2, domains = $3, registrable = $4, note = $5, key = $6, weight = $7,
           is_matched = is_matched and name = $2 and domains = $3,
           revision = case when name = $2 and domains = $3 then revision else nextval('list_entry_revision') end
     where id = $1`
}

export async function deleteEntry(
  db: Database,
  { listId, id }: { listId: string; id: string },
): Promise<void> {
  await touchList(db, listId)
  await db.query('delete from list_entry where id = $1', [id])
}

async function touchList(db: Database, id: string): Promise<void> {
  await db.query(`update name_list set updated_at = now(), ${CHANGED_BY_PEOPLE} where id = $1`, [id])
}
