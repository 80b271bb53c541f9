import * as z from 'zod/mini'
import { joinRanges, type StoredTime, type TimeRange } from '#bff/time/coverage.ts'
import { gapReasonSchema } from '#contract/bff/coverage.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, readRows } from '#database/read-rows.ts'

/** Past ranges that were read outside the sync's own range. Epoch milliseconds. */
export type History = {
  ranges: readonly TimeRange[]
  /** The vendor lists nothing older; null where that is not known. */
  oldestFrom: number | null
  /** Times that could not be read whole, and why, newest first. */
  failed: NonNullable<StoredTime['failed']>
  /** Another route set was read beyond the end of the sync's range. */
  goesOn: boolean
}

export const NO_HISTORY: History = { ranges: [], oldestFrom: null, failed: [], goesOn: false }

const rowSchema = z.object({
  from: z.string(),
  to: z.string(),
  /** Null for what was not read whole. */
  isOldest: z.nullable(z.boolean()),
  why: z.nullable(gapReasonSchema),
})

export async function readHistory(db: Database): Promise<History> {
  const rows = await readRows(db, rowSchema)`
    select ${isoUtc('from_at')} as from, ${isoUtc('to_at')} as to, is_oldest as "isOldest", why
      from (select from_at, to_at, is_oldest, null as why from history_range
            union all
            select from_at, to_at, null, why from history_load
             where state in ('waiting', 'reading') and route_set = 'earlier' or state = 'failed' and why is not null)
           as past
     order by to_at desc`
  const past = rows.map((row) => ({ ...row, ...toMs(row) }))
  const read = past.filter(({ isOldest }) => isOldest !== null)
  return {
    ranges: read.map(({ from, to }) => ({ from, to })),
    oldestFrom: read.find(({ isOldest }) => isOldest)?.from ?? null,
    failed: past.flatMap(({ from, to, why }) => (why === null ? [] : { from, to, why })),
    goesOn: past.length > 0,
  }
}

/** Claims a time that was read whole, joined with those that it touches. */
export async function addRange(
  db: Database,
  range: { from: string; to: string; set: RouteSet; isOldest: boolean; readAt: string },
): Promise<void> {
  const { ranges } = await readHistory(db)
  const own = toMs(range)
  const joined = joinRanges([...ranges, own]).find(({ from, to }) => from <= own.from && own.to <= to) ?? own
  const [from, to] = [joined.from, joined.to].map((ms) => new Date(ms).toISOString())
  const rows = await readRows(db, z.object({ isOldest: z.boolean() }), [from, to])`
    delete from history_range where from_at >= $1 and to_at <= $2 returning is_oldest as "isOldest"`
  const isOldest = range.isOldest || rows.some((row) => row.isOldest)
  await execute(db, [from, to, range.set, isOldest, range.readAt])`
    insert into history_range (from_at, to_at, route_set, is_oldest, read_at) values ($1, $2, $3, $4, $5)`
}

/** Removes ranges before a time, whose records are no longer stored. */
export async function clipHistory(db: Database, from: string): Promise<void> {
  await db.query('delete from history_range where to_at <= $1', [from])
  await db.query('update history_range set from_at = $1, is_oldest = false where from_at < $1', [from])
}

/** The stored time of the sync together with what was read of the past. `keptFrom` is the first moment that is kept. */
export function withHistory(
  live: StoredTime,
  { ranges, oldestFrom, failed, goesOn }: History,
  keptFrom: number,
): StoredTime {
  const joined = joinRanges([...live.ranges, ...ranges])
  const oldest = joined.at(-1)
  const isLiveOldest = live.ranges.some(({ from }) => oldest !== undefined && from <= oldest.from)
  const isKnown = isLiveOldest && !(goesOn && live.beyond === 'planWindow')
  const unread = oldest !== undefined && oldest.from <= keptFrom ? 'historyLimit' : 'notRead'
  const beyond = oldestFrom !== null ? 'endOfList' : isKnown ? live.beyond : unread
  return { ...live, ranges: joined, beyond, failed }
}

function toMs({ from, to }: { from: string; to: string }): TimeRange {
  return { from: Date.parse(from), to: Date.parse(to) }
}
