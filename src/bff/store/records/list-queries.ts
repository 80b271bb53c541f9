import * as z from 'zod/mini'
import { appendChanges } from '#bff/store/changes/change-log.ts'
import type { CrawlName } from '#bff/store/sync/backoff.ts'
import type { UnreadableRecord } from '#bff/upstream/reader/read-threat-list.ts'
import type { Missing } from '#contract/bff/freshness.ts'
import type { Database } from '#database/database.ts'
import { execute, findRow, onlyColumn, readRow, readRows } from '#database/read-rows.ts'

/** A larger count adds no information. */
const UNREADABLE_MAX_COUNT = 10_000

const idSchema = z.object({ id: z.string() })

/** Ids of a page that a crawl has met before. */
export async function findListed(
  db: Database,
  crawl: CrawlName,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await readRows(db, idSchema, [crawl, ids])`
    select id from window_listed where crawl = $1 and id = any($2)`
  return new Set(rows.map(({ id }) => id))
}

/** Returns the ids that are stored. */
export async function findStoredIds(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await readRows(db, onlyColumn(z.string()), [ids])`
    select id from window_threat where id = any($1)`
  return new Set(rows)
}

export async function forgetListed(db: Database, crawl: CrawlName): Promise<void> {
  await db.query('delete from window_listed where crawl = $1', [crawl])
}

export async function addListed(db: Database, crawl: CrawlName, ids: readonly string[]): Promise<void> {
  await execute(db, [crawl, ids])`
    insert into window_listed (crawl, id) select $1, unnest($2::text[]) on conflict do nothing`
}

/**
 * A range of records that were stored before a revision of the stored threats. They are deleted if the list's total shows that
 * the crawl met all of it.
 */
export type ListedRange = {
  from: string
  to: string | null
  revision: number
  isDatedOnly: boolean
  crawl: CrawlName
  isSure: boolean
}

/**
 * Takes what is stored between two times, and what no page of a crawl has named, out of the store: no more records than
 * the vendor has fewer, and unless it is sure only those that the crawl before missed as well. They stay findable by their
 * ids, and the change log names them. Returns how many they were, and how many were missed for the first time.
 */
export async function moveDeleted(
  db: Database,
  { from, to, revision, isDatedOnly, crawl, isSure }: ListedRange,
  { ids, max }: { ids: readonly string[]; max: number },
): Promise<{ lost: number; missed: number }> {
  const values = [from, to, revision, ids, isDatedOnly, max, crawl, isSure]
  const { lost, missed } = await readRow(
    db,
    z.object({ lost: z.array(z.string()), missed: z.int() }),
    values,
  )`
    with unmet as (
      select id, $8 or id in (select id from window_missed) as is_gone from window_threat
       where sorted_at >= $1 and ($2::timestamptz is null or sorted_at <= $2) and revision <= $3
         and not (id = any($4))
         and not exists (select from window_listed where crawl = $7 and window_listed.id = window_threat.id)
         and not ($5 and is_undated)
    ), moved as (
      delete from window_threat using unmet
       where window_threat.id = unmet.id and is_gone and (select count(*) from unmet where is_gone) <= $6
       returning window_threat.id, threat
    ), kept as (
      insert into listed_threat (source, id, threat, listed_at, gone_at)
      select source, id, threat, last_read_at, last_read_at from moved, window_reach
      on conflict (id, source) do update set threat = excluded.threat, gone_at = excluded.gone_at
    ), missed as (
      insert into window_missed (id) select id from unmet where not is_gone on conflict do nothing returning id
    ), forgotten as (
      delete from window_missed using moved where window_missed.id = moved.id
    )
    select array(select id from moved order by id) as lost, (select count(*) from missed) as missed`
  await appendChanges(
    db,
    lost.map((threatId) => ({ threatId, kind: 'removed', fields: [] })),
    'past',
  )
  return { lost: lost.length, missed }
}

/** Forgets which of these ids a comparison did not find; returns how many they were. */
export async function forgetMissed(db: Database, ids: readonly string[]): Promise<number> {
  return execute(db, [ids])`delete from window_missed where id = any($1)`
}

/** Those that a list names again are not gone. */
export async function takeBack(db: Database, ids: readonly string[]): Promise<void> {
  await db.query('delete from listed_threat where gone_at is not null and id = any($1)', [ids])
}

/** A crawl's number of pages, and when it began. */
type CrawlPlace = { pages: number; startedAt: string }

/** Keeps what could not be read of a page, each once, however often it is met. */
export async function keepUnreadable(
  db: Database,
  records: readonly UnreadableRecord[],
  { reading, otherwise, nowIso }: { reading: CrawlPlace; otherwise: string; nowIso: string },
): Promise<void> {
  const met = new Map<string, number>()
  const rows = records.map(({ at, near, reason, mark }) => {
    const number = met.get(mark) ?? 0
    met.set(mark, number + 1)
    const place = `record ${at + 1} on page ${reading.pages} of the list`
    return { mark, number, reason, place, sorted_at: near ?? otherwise }
  })
  // Those that are the same go on being numbered over the pages of a crawl.
  await execute(db, [JSON.stringify(rows), nowIso, reading.startedAt])`
    insert into window_unreadable (mark, number, reason, place, sorted_at, met_at)
    select r.mark, r.number + coalesce(before.count, 0), r.reason, r.place, r.sorted_at, $2
      from jsonb_to_recordset($1::jsonb)
        as r(mark text, number int, reason text, place text, sorted_at timestamptz)
      left join (select mark, count(*) as count from window_unreadable where met_at >= $3 group by mark) before
        using (mark)
     where (select count(*) from window_unreadable) < ${UNREADABLE_MAX_COUNT}
    on conflict (mark, number) do update
      set place = excluded.place, sorted_at = excluded.sorted_at, met_at = excluded.met_at`
}

/** Deletes unreadable records that a second crawl of the time has not met: they are mended or deleted. */
export async function dropMended(
  db: Database,
  { from, since }: { from: string; since: string },
): Promise<void> {
  await db.query('delete from window_unreadable where sorted_at >= $1 and met_at < $2', [from, since])
}

const unreadableSchema = z.object({ count: z.int(), example: z.string(), reason: z.string() })

export async function readUnreadable(db: Database): Promise<Missing['unreadable']> {
  return findRow(db, unreadableSchema)`
    select place as example, reason, count(*) over () as count
      from window_unreadable order by met_at desc, sorted_at desc, mark limit 1`
}
