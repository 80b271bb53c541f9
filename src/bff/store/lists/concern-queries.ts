import * as z from 'zod/mini'
import { threatRowSchema } from '#bff/store/records/threat-row.ts'
import { type Concerns, concernsSchema } from '#contract/bff/overview.ts'
import type { Database } from '#database/database.ts'
import { readRows } from '#database/read-rows.ts'
import { COUNTED_MATCHES, VISIBLE_LISTS } from './visible-lists.ts'

const NEWEST_COUNT = 5

/**
 * Counts the threats since a moment that the visible lists match, each threat once for a list, and reads the newest. Null
 * where the account sees no list; without an account, shared lists are visible.
 */
export async function readConcerns(
  db: Database,
  { accountId, since }: { accountId: string | null; since: string },
): Promise<Concerns | null> {
  const lists = await readRows(db, z.unknown(), [accountId, since])`
    select name_list.id, name_list.name, kind, coalesce(certain, 0)::int as certain,
           coalesce(whole - certain, 0)::int as "toConfirm"
      from name_list
      left join (
        select list_id, count(distinct threat_id) as whole,
               count(distinct threat_id) filter (where certainty = 'certain') as certain
          from ${COUNTED_MATCHES} matched join list_entry on list_entry.id = entry_id
          join window_threat on window_threat.id = threat_id
         where sorted_at >= $2
         group by list_id) counted on list_id = name_list.id
     where ${VISIBLE_LISTS}
     order by certain desc nulls last, whole desc nulls last, lower(name_list.name), name_list.id`
  if (lists.length === 0) return null
  const newest = await readRows(db, threatRowSchema, [accountId, since])`
    select threat, entry_id as "entryId", list_entry.name as "entryName", list_id as "listId", certainty, rule,
           words as text, decision
      from ${COUNTED_MATCHES} matched join list_entry on list_entry.id = entry_id
      join name_list on name_list.id = list_id join window_threat on window_threat.id = threat_id
     where sorted_at >= $2 and ${VISIBLE_LISTS}
     order by certainty, sorted_at desc, threat_id, lower(list_entry.name)
     limit ${NEWEST_COUNT}`
  return concernsSchema.parse({ since, lists, newest })
}
