import * as z from 'zod/mini'
import { inactiveListSchema, type NameList, nameListSchema } from '#contract/bff/list.ts'
import type { ListChange, NewList } from '#contract/bff/list-draft.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { affectsRows, findRow, onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { COUNTED_MATCHES, VISIBLE_LISTS } from './visible-lists.ts'

const LIST = `
  name_list.id, name_list.name, kind, is_shared as "isShared", ${isoUtc('updated_at')} as "updatedAt",
  json_build_object('name', account.name, 'isMe', account.id::text = $1) as owner,
  (select count(*) from list_entry where list_id = name_list.id) as "entryCount",
  exists (select from list_entry where list_id = name_list.id and not is_matched) as "isMatching",
  (select json_build_object('certain', count(*) filter (where "isCertain"),
                            'toConfirm', count(*) filter (where not "isCertain"))
     from (select bool_or(certainty = 'certain') as "isCertain"
             from list_entry join ${COUNTED_MATCHES} matched on matched.entry_id = list_entry.id
             join window_threat on window_threat.id = threat_id
            where list_id = name_list.id and sorted_at >= $2
            group by list_entry.id) found) as matched
  from name_list join account on account.id = name_list.account_id`

/** Sets new revisions of lists of which people changed something. Before entries and pairs: all take locks in that order. */
export const CHANGED_BY_PEOPLE =
  "pairs_revision = nextval('list_entry_revision'), criteria_revision = nextval('list_entry_revision')"

/** The reader, and the ISO 8601 time from which matched threats count. */
export type ListReader = { accountId: string; since: string }

/** Lists the lists that an account may see: its own and the team's. */
export async function readLists(db: Database, { accountId, since }: ListReader): Promise<NameList[]> {
  return readRows(db, nameListSchema, [accountId, since])`
    select ${LIST} where ${VISIBLE_LISTS} order by lower(name_list.name), name_list.id`
}

/** Returns null if the list does not exist, or if the account may not see it. */
export async function findList(
  db: Database,
  id: string,
  { accountId, since }: ListReader,
): Promise<NameList | null> {
  return findRow(db, nameListSchema, [accountId, since, id])`
    select ${LIST} where name_list.id = $3 and ${VISIBLE_LISTS}`
}

const inactiveSchema = z.extend(inactiveListSchema, { ownerEmail: z.string() })

/** Lists private lists whose owners can no longer change them, by owner. */
export async function readInactiveLists(db: Database): Promise<z.infer<typeof inactiveSchema>[]> {
  return readRows(db, inactiveSchema)`
    select name_list.id, account.name as "ownerName", email as "ownerEmail", ${isoUtc('updated_at')} as "updatedAt",
           (select count(*) from list_entry where list_id = name_list.id) as "entryCount"
      from name_list join account on account.id = account_id
     where not is_shared and (disabled_at is not null or role = 'viewer')
     order by lower(account.name), name_list.id`
}

export async function insertList(
  db: Database,
  accountId: string,
  { name, kind, isShared }: Pick<NewList, 'name' | 'kind' | 'isShared'>,
): Promise<string> {
  return readRow(db, onlyColumn(z.string()), [accountId, name, kind, isShared])`
    insert into name_list (account_id, name, kind, is_shared) values ($1, $2, $3, $4) returning id`
}

/** Returns false if another person has changed the list since `before` was read. */
export async function updateList(db: Database, id: string, change: ListChange): Promise<boolean> {
  const { name = null, kind = null, isShared = null, before } = change
  const values = [
    id,
    name,
    kind,
    isShared,
    before?.name ?? null,
    before?.kind ?? null,
    before?.isShared ?? null,
  ]
  return affectsRows(db, values)`
    update name_list
       set name = coalesce($2, name), kind = coalesce($3, kind), is_shared = coalesce($4, is_shared),
           updated_at = now(), ${CHANGED_BY_PEOPLE}
     where id = $1 and ($5::text is null or (name = $5 and kind = $6 and is_shared = $7))`
}

export async function deleteList(db: Database, id: string): Promise<void> {
  await db.query('delete from name_list where id = $1', [id])
}
