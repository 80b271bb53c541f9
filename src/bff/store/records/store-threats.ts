import * as z from 'zod/mini'
import {
  appendChanges,
  type Change,
  type ChangeEdge,
  compareRecords,
  dropChanges,
} from '#bff/store/changes/change-log.ts'
import { dropTexts } from '#bff/store/full-text/full-text-queries.ts'
import { clipHistory } from '#bff/store/history/history-ranges.ts'
import { countFieldTexts, formatFieldTexts, searchedText, termsOf } from '#bff/store/index/threat-terms.ts'
import { type Threat, threatSchema } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { execute, findRow, onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { fillUp, joinDetail, rejoinListed } from './join-detail.ts'

/** Any number: whoever writes agrees on it. */
const WRITER_LOCK = 4_812_042
/** Records that one statement deletes. */
const DELETED_MAX_COUNT = 5_000

/** A record with the time that it is sorted by. */
export type PlacedThreat = { threat: Threat; at: string }

/** Times for all records of a page: one that does not say its time takes its neighbour's. */
export function placeThreats(threats: readonly Threat[], otherwise: string): PlacedThreat[] {
  let at = threats.find(({ publishedAt }) => publishedAt !== null)?.publishedAt ?? otherwise
  return threats.map((threat) => {
    at = threat.publishedAt ?? at
    return { threat, at }
  })
}

/**
 * Adds and replaces records of a list, and logs what has changed; returns how many of them are new or have changed. Of a
 * record that both route sets list, each replaces what it reported itself. What a plan withholds stays as it was known.
 */
export async function storeThreats(
  db: Database,
  placed: readonly PlacedThreat[],
  edgeOf: EdgeOf = () => 'past',
): Promise<number> {
  const distinct = [...new Map(placed.map((one) => [one.threat.id, one])).values()]
  const stored = await readStored(db, distinct)
  return writeRows(
    db,
    distinct.map((one) => joinListed(one, stored.get(one.threat.id))),
    edgeOf,
  )
}

/** Joins a record of a list with what is stored of it: the other route set's version, what a plan withholds now, a detail. */
function joinListed({ threat: now, at }: PlacedThreat, stored: StoredThreat | undefined): Row {
  if (!stored) return { threat: now, at, listed: null, bySet: null }
  const listedBefore = stored.listed ?? stored.shown
  const versions: BySet = stored.bySet ?? { [listedBefore.set]: listedBefore }
  const own = versions[now.set]
  const bySet: BySet = {
    ...versions,
    [now.set]: own ? fillUp(now, own, now.redacted) : threatSchema.parse(now),
  }
  const { v1, earlier } = bySet
  const listed = v1 && earlier ? fillUp(v1, earlier) : (v1 ?? earlier ?? now)
  const threat = stored.listed
    ? rejoinListed({ before: stored.listed, shown: stored.shown, now: listed })
    : listed
  return {
    threat,
    at: threat.publishedAt ?? at,
    listed: stored.listed && listed,
    bySet: v1 && earlier ? bySet : null,
  }
}

/** Takes what a record's own page at the vendor says into what is stored of it; false where that says nothing else. */
export async function storeDetail(db: Database, detail: Threat): Promise<boolean> {
  const row = await joinStoredDetail(db, detail)
  if (row) await writeRows(db, [row], () => 'past')
  return row !== null
}

/** Joins the stored record with its own page; null if that adds nothing. */
export async function joinStoredDetail(db: Database, detail: Threat): Promise<Row | null> {
  const row = await findRow(db, z.extend(storedSchema, { at: z.string() }), [detail.id])`
    select ${STORED}, ${isoUtc('sorted_at')} as at from window_threat where id = $1`
  if (!row) return null
  const { shown, listed, bySet } = toStored(row)
  const threat = joinDetail(shown, detail)
  if (detail.set !== shown.set || JSON.stringify(threat) === JSON.stringify(shown)) return null
  return { threat, at: threat.publishedAt ?? row.at, listed: listed ?? shown, bySet }
}

const STORED = 'id, threat, listed, by_set'
const storedSchema = z.object({
  id: z.string(),
  threat: z.string(),
  listed: z.nullable(z.string()),
  by_set: z.nullable(z.string()),
})
const bySetSchema = z.object({ v1: z.optional(threatSchema), earlier: z.optional(threatSchema) })
type BySet = z.infer<typeof bySetSchema>

/** A record as it is shown; as lists reported it, if a detail changed that; and each list's version, if both have it. */
type StoredThreat = { shown: Threat; listed: Threat | null; bySet: BySet | null }

function toStored({ threat, listed, by_set }: z.infer<typeof storedSchema>): StoredThreat {
  return {
    shown: parseThreat(threat),
    listed: listed === null ? null : parseThreat(listed),
    bySet: by_set === null ? null : bySetSchema.parse(JSON.parse(by_set)),
  }
}

/** Stored records of which more stays than what a list reports now. */
async function readStored(db: Database, placed: readonly PlacedThreat[]): Promise<Map<string, StoredThreat>> {
  const rows = await readRows(db, storedSchema, [
    placed.map(({ threat }) => threat.id),
    placed.map(({ threat }) => threat.set),
    placed.map(({ threat }) => threat.redacted.length > 0),
  ])`
    select ${STORED}
      from window_threat join unnest($1::text[], $2::text[], $3::boolean[]) as now(now_id, now_set, is_redacted)
        on id = now_id
     where listed is not null or by_set is not null or is_redacted or threat::json ->> 'set' <> now_set`
  return new Map(rows.map((row) => [row.id, toStored(row)]))
}

function parseThreat(text: string): Threat {
  return threatSchema.parse(JSON.parse(text))
}

type EdgeOf = (threat: Threat) => ChangeEdge

/** `listed` is the list's own record, where a detail may have changed what is shown. */
type Row = PlacedThreat & { listed: Threat | null; bySet: BySet | null }

/** Writes records as they are shown; returns how many of them are new or have changed. */
async function writeRows(db: Database, placed: readonly Row[], edgeOf: EdgeOf): Promise<number> {
  const rows = placed.map(({ threat, at, listed, bySet }) => {
    const terms = termsOf(threat)
    return {
      row: {
        id: threat.id,
        sorted_at: at,
        threat: JSON.stringify(threat),
        listed: listed && JSON.stringify(listed),
        by_set: bySet && JSON.stringify(bySet),
        terms: [...terms.map(({ term }) => term), formatFieldTexts(countFieldTexts(threat))],
        searched_text: searchedText(threat),
        victims: victimsOf(threat),
      },
      terms,
    }
  })
  const terms = new Map(rows.flatMap((row) => row.terms).map(({ term, value }) => [term, value]))
  await execute(db, [[...terms.keys()], [...terms.values()]])`
    insert into window_term (term, value)
    select * from unnest($1::text[], $2::text[]) order by 1
    on conflict (term) do nothing`
  const changes = await findChanges(
    db,
    rows.map(({ row }) => row),
  )
  // A record without a time keeps the place that it was first given.
  const written = await execute(db, [JSON.stringify(rows.map(({ row }) => row))])`
    insert into window_threat as stored (id, sorted_at, threat, listed, by_set, terms, searched_text, victims)
    select id, sorted_at, threat, nullif(listed, threat), by_set, array(select jsonb_array_elements_text(terms)), searched_text,
           array(select jsonb_array_elements_text(victims))
      from jsonb_to_recordset($1::jsonb)
        as r(id text, sorted_at timestamptz, threat text, listed text, by_set text, terms jsonb, searched_text text, victims jsonb)
    on conflict (id) do update
      set threat = excluded.threat,
          listed = excluded.listed,
          by_set = excluded.by_set,
          terms = excluded.terms,
          searched_text = excluded.searched_text,
          victims = excluded.victims,
          revision = excluded.revision,
          sorted_at = case
            when excluded.threat::json ->> 'publishedAt' is null then stored.sorted_at else excluded.sorted_at
          end
    where (stored.threat, stored.listed, stored.by_set) is distinct from (excluded.threat, excluded.listed, excluded.by_set)`
  const edges = new Map(placed.map(({ threat }) => [threat.id, edgeOf(threat)]))
  for (const [edge, ofEdge] of Map.groupBy(changes, ({ threatId }) => edges.get(threatId) ?? 'past'))
    await appendChanges(db, ofEdge, edge)
  return written
}

/** Compares records that are about to be written with those that are stored. */
async function findChanges(db: Database, rows: readonly ThreatText[]): Promise<Change[]> {
  const stored = await readRows(db, threatTextSchema, [rows.map(({ id }) => id)])`
    select id, threat from window_threat where id = any($1)`
  const before = new Map(stored.map(({ id, threat }) => [id, threat]))
  return rows.flatMap(({ id, threat }) => compareRecords(id, before.get(id), threat) ?? [])
}

/** A record as JSON. */
const threatTextSchema = z.object({ id: z.string(), threat: z.string() })
type ThreatText = z.infer<typeof threatTextSchema>

/** Organisations however they are capitalised, each once, without what the database's text cannot hold. */
function victimsOf({ organizations }: Threat): string[] {
  return [...new Set(organizations.map((name) => name.toLowerCase().toWellFormed().replaceAll('\0', '')))]
}

/** Drops what is older than a time, withdrawn records too; returns how many stored records that were. */
export async function dropOlder(db: Database, than: string): Promise<number> {
  const dropped = await deleteThreats(db, than)
  await execute(db, [than])`delete from listed_threat where listed_at < $1`
  await clipHistory(db, than)
  return dropped
}

/**
 * Drops what is more than so many of the newest, and what is of the same time as the newest of that, so that all that is kept
 * is later. Returns the time of the oldest that is kept; null where nothing was dropped.
 */
export async function dropBeyond(db: Database, most: number): Promise<string | null> {
  const more = (await countStored(db)) - most
  if (more <= 0) return null
  const { at } = await readRow(db, z.object({ at: z.nullable(z.string()) }), [more - 1])`
    select ${isoUtc('min(sorted_at)')} as at from window_threat
     where sorted_at > (select sorted_at from window_threat order by sorted_at, id offset $1 limit 1)`
  await deleteThreats(db, at)
  if (at !== null) await clipHistory(db, at)
  return at
}

/**
 * Deletes stored records that are older than a time, or all; returns how many. Several statements delete some each: one may
 * take 5 s, and with each record go its case, keys and links.
 */
async function deleteThreats(db: Database, than: string | null = null): Promise<number> {
  let deleted = 0
  for (;;) {
    const count = await execute(db, [than ?? 'infinity', DELETED_MAX_COUNT])`
      delete from window_threat
       where id = any(array(select id from window_threat where sorted_at < $1 order by sorted_at limit $2))`
    deleted += count
    if (count < DELETED_MAX_COUNT) return deleted
  }
}

export async function dropAll(db: Database): Promise<void> {
  await dropChanges(db)
  await deleteThreats(db)
  await db.query('delete from window_term')
  await db.query('delete from window_reach')
  await db.query('delete from history_range')
  await db.query('delete from history_load')
  await db.query('delete from window_listed')
  await db.query('delete from window_missed')
  await db.query('delete from window_unreadable')
  await dropTexts(db)
  await db.query('delete from full_text_search')
}

/**
 * Makes this transaction the only one that changes stored threats until it ends. Its changes have higher revisions than all
 * before.
 */
export async function lockStore(db: Database): Promise<void> {
  await db.query('select pg_advisory_xact_lock($1)', [WRITER_LOCK])
}

/** A revision that is higher than that of every record. */
export async function nextRevision(db: Database): Promise<number> {
  return readRow(db, onlyColumn(z.int()))`
    select nextval('window_revision') as revision`
}

/** Counts stored records, from `since` on if it is given. */
export async function countStored(db: Database, since: string | null = null): Promise<number> {
  return readRow(db, onlyColumn(z.int()), [since])`
    select count(*) as stored from window_threat where $1::timestamptz is null or sorted_at >= $1`
}
