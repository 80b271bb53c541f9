import * as z from 'zod/mini'
import {
  appendChanges,
  type Change,
  type ChangeEdge,
  compareRecords,
  dropChanges,
} from '#bff/store/changes/change-log.ts'
import { searchedText, termsOf } from '#bff/store/index/threat-terms.ts'
import { type Threat, threatSchema } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { isoUtc } from '#database/iso-timestamp.ts'
import { joinDetail, rejoinListed } from './join-detail.ts'

/** Any number: whoever writes agrees on it. */
const WRITER_LOCK = 4_812_042

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

/** Adds and replaces records of the list, and logs what has changed; returns how many of them are new or have changed. */
export async function storeThreats(
  db: Database,
  placed: readonly PlacedThreat[],
  edge: ChangeEdge = 'past',
): Promise<number> {
  const distinct = [...new Map(placed.map((one) => [one.threat.id, one])).values()]
  const detailed = await readDetailed(
    db,
    distinct.map(({ threat }) => threat.id),
  )
  return writeRows(
    db,
    distinct.map(({ threat: now, at }) => {
      const found = detailed.get(now.id)
      if (!found) return { threat: now, at, listed: null }
      const threat = rejoinListed({ ...found, now })
      return { threat, at: threat.publishedAt ?? at, listed: now }
    }),
    edge,
  )
}

/** Takes what a record's own page at the vendor says into what is stored of it; false where that says nothing else. */
export async function storeDetail(db: Database, detail: Threat): Promise<boolean> {
  const { rows } = await db.query(
    `select threat, listed, ${ISO_SORTED_AT} as at from window_threat where id = $1`,
    [detail.id],
  )
  const row = rows.map((found) => detailedSchema.parse(found)).at(0)
  if (!row) return false
  const stored = parseThreat(row.threat)
  const threat = joinDetail(stored, detail)
  if (detail.set !== stored.set || JSON.stringify(threat) === JSON.stringify(stored)) return false
  const listed = row.listed === null ? stored : parseThreat(row.listed)
  await writeRows(db, [{ threat, at: threat.publishedAt ?? row.at, listed }], 'past')
  return true
}

const detailedSchema = z.object({ threat: z.string(), listed: z.nullable(z.string()), at: z.string() })
const ISO_SORTED_AT = isoUtc('sorted_at')

/** Records that a detail has changed: as they were listed before it, and as they are shown. */
async function readDetailed(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, { before: Threat; shown: Threat }>> {
  const { rows } = await db.query(
    'select threat, listed from window_threat where id = any($1) and listed is not null',
    [ids],
  )
  return new Map(
    rows.map((row) => {
      const { threat, listed } = z.object({ threat: z.string(), listed: z.string() }).parse(row)
      const shown = parseThreat(threat)
      return [shown.id, { shown, before: parseThreat(listed) }]
    }),
  )
}

function parseThreat(text: string): Threat {
  return threatSchema.parse(JSON.parse(text))
}

/** `listed` is the list's own record, where a detail may have changed what is shown. */
type Row = PlacedThreat & { listed: Threat | null }

/** Writes records as they are shown; returns how many of them are new or have changed. */
async function writeRows(db: Database, placed: readonly Row[], edge: ChangeEdge): Promise<number> {
  const rows = placed.map(({ threat, at, listed }) => {
    const terms = termsOf(threat)
    return {
      row: {
        id: threat.id,
        sorted_at: at,
        threat: JSON.stringify(threat),
        listed: listed && JSON.stringify(listed),
        terms: terms.map(({ term }) => term),
        searched_text: searchedText(threat),
        victims: victimsOf(threat),
      },
      terms,
    }
  })
  const terms = new Map(rows.flatMap((row) => row.terms).map(({ term, value }) => [term, value]))
  await db.query(
    `insert into window_term (term, value)
     select * from unnest($1::text[], $2::text[]) order by 1
     on conflict (term) do nothing`,
    [[...terms.keys()], [...terms.values()]],
  )
  const changes = await findChanges(
    db,
    rows.map(({ row }) => row),
  )
  // A record without a time keeps the place that it was first given.
  const { rowCount } = await db.query(
    `insert into window_threat as stored (id, sorted_at, threat, listed, terms, searched_text, victims)
     select id, sorted_at, threat, nullif(listed, threat), array(select jsonb_array_elements_text(terms)), searched_text,
            array(select jsonb_array_elements_text(victims))
       from jsonb_to_recordset($1::jsonb)
         as r(id text, sorted_at timestamptz, threat text, listed text, terms jsonb, searched_text text, victims jsonb)
     on conflict (id) do update
       set threat = excluded.threat,
           listed = excluded.listed,
           terms = excluded.terms,
           searched_text = excluded.searched_text,
           victims = excluded.victims,
           revision = excluded.revision,
           sorted_at = case
             when excluded.threat::json ->> 'publishedAt' is null then stored.sorted_at else excluded.sorted_at
           end
     where stored.threat <> excluded.threat or stored.listed is distinct from excluded.listed`,
    [JSON.stringify(rows.map(({ row }) => row))],
  )
  await appendChanges(db, changes, edge)
  return rowCount
}

/** How records that are about to be written differ from those that are stored. */
async function findChanges(db: Database, rows: readonly { id: string; threat: string }[]): Promise<Change[]> {
  const stored = await db.query('select id, threat from window_threat where id = any($1)', [
    rows.map(({ id }) => id),
  ])
  const before = new Map(
    stored.rows.map((row) => storedSchema.parse(row)).map(({ id, threat }) => [id, threat]),
  )
  return rows.flatMap(({ id, threat }) => compareRecords(id, before.get(id), threat) ?? [])
}

const storedSchema = z.object({ id: z.string(), threat: z.string() })

/** Organisations however they are capitalised, each once, without what the database's text cannot hold. */
function victimsOf({ organizations }: Threat): string[] {
  return [...new Set(organizations.map((name) => name.toLowerCase().toWellFormed().replaceAll('\0', '')))]
}

/** Drops what is older than a time; returns how many records that were. */
export async function dropOlder(db: Database, than: string): Promise<number> {
  const { rowCount } = await db.query('delete from window_threat where sorted_at < $1', [than])
  return rowCount
}

export async function dropAll(db: Database): Promise<void> {
  await dropChanges(db)
  await db.query('delete from window_threat')
  await db.query('delete from window_term')
  await db.query('delete from window_reach')
  await db.query('delete from window_listed')
  await db.query('delete from window_missed')
  await db.query('delete from window_unreadable')
  await db.query('delete from full_text')
  await db.query('delete from full_text_search')
}

/**
 * Until the transaction ends, the only one that changes the window; its changes have higher revisions than all before.
 */
export async function lockWindow(db: Database): Promise<void> {
  await db.query('select pg_advisory_xact_lock($1)', [WRITER_LOCK])
}

/** A revision that is higher than that of every record. */
export async function nextRevision(db: Database): Promise<number> {
  const { rows } = await db.query(`select nextval('window_revision') as revision`)
  return z.object({ revision: z.int() }).parse(rows[0]).revision
}

/** How many records are stored, of a time on where one is given. */
export async function countStored(db: Database, since: string | null = null): Promise<number> {
  const { rows } = await db.query(
    'select count(*) as stored from window_threat where $1::timestamptz is null or sorted_at >= $1',
    [since],
  )
  return z.object({ stored: z.int() }).parse(rows[0]).stored
}
