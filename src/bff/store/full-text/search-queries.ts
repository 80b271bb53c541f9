import * as z from 'zod/mini'
import { findStoredIds } from '#bff/store/records/list-queries.ts'
import type { PlacedThreat } from '#bff/store/records/store-threats.ts'
import { storeThreats } from '#bff/store/records/store-threats.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, findRow, onlyColumn, readRows } from '#database/read-rows.ts'
import { touchThreats } from './full-text-queries.ts'

/** The last of each: what older searches found is forgotten. */
const SEARCHES_MAX_COUNT = 2_000

const searchSchema = z.object({
  searchedAt: z.iso.datetime(),
  found: z.int(),
  added: z.int(),
  total: z.nullable(z.int()),
  nextOffset: z.nullable(z.int()),
})
/** The vendor's answer for some words, over all pages that were read. */
export type StoredSearch = z.infer<typeof searchSchema>

const idSchema = z.object({ id: z.string() })

export async function findSearch(db: Database, words: string): Promise<StoredSearch | null> {
  return findRow(db, searchSchema, [words])`
    select ${isoUtc('searched_at')} as "searchedAt", found, added, total, next_offset as "nextOffset"
      from full_text_search where words = $1`
}

export type FoundPage = {
  placed: readonly PlacedThreat[]
  searchedAt: string
  total: number | null
  nextOffset: number | null
  /** The page before it, of the same search; null of the first page. */
  before: StoredSearch | null
}

/** Stores a page of records, and that the vendor found them by some words. Call it while the store is locked. */
export async function storeFoundPage(
  db: Database,
  words: string,
  { placed, before, ...page }: FoundPage,
): Promise<StoredSearch> {
  const ids = [...new Set(placed.map(({ threat }) => threat.id))]
  const known = await findStoredIds(db, ids)
  await storeThreats(db, placed)
  const after = {
    ...page,
    searchedAt: before?.searchedAt ?? page.searchedAt,
    found: (before?.found ?? 0) + ids.length,
    added: (before?.added ?? 0) + ids.filter((id) => !known.has(id)).length,
  }
  await execute(db, [words, after.searchedAt, after.found, after.added, after.total, after.nextOffset])`
    insert into full_text_search (words, searched_at, found, added, total, next_offset)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (words) do update
      set searched_at = excluded.searched_at, found = excluded.found, added = excluded.added,
          total = excluded.total, next_offset = excluded.next_offset`
  const rows = await readRows(db, idSchema, [ids, words])`
    insert into full_text_match (id, words) select unnest($1::text[]), $2 on conflict do nothing returning id`
  const matched = rows.map(({ id }) => id)
  await touchThreats(db, [...matched, ...(await dropOldSearches(db))])
  return after
}

/** Returns the records that are found by fewer words now. */
async function dropOldSearches(db: Database): Promise<string[]> {
  return readRows(db, onlyColumn(z.string()), [SEARCHES_MAX_COUNT])`
    with dropped as (
      delete from full_text_search
       where words in (select words from full_text_search order by searched_at desc, words offset $1)
      returning words
    )
    select id from full_text_match where words in (select words from dropped)`
}
