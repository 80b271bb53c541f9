import * as z from 'zod/mini'
import { readFullTexts } from '#bff/store/full-text/full-text-queries.ts'
import { type RowFacts, rowTime } from '#bff/store/index/index-rows.ts'
import {
  countFieldTexts,
  FIELD_TEXTS,
  FULL_TEXT_TERM,
  parseFieldTexts,
  searchedText,
  termsOf,
  termsOfWithheld,
} from '#bff/store/index/threat-terms.ts'
import { type ThreatDetail, threatSchema } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'
import { onlyColumn, readRow, readRows } from '#database/read-rows.ts'
import { normaliseText } from '#matcher/normalise-text.ts'

/** Each takes a moment to be taken in, in which nobody else is answered. */
const BATCH_COUNT = 1_000

const factsSchema = z.object({
  id: z.string(),
  at: z.number(),
  is_undated: z.boolean(),
  terms: z.string(),
  text: z.string(),
  victims: z.array(z.string()),
  /** Null where the last term says all that is read of it. */
  threat: z.nullable(z.string()),
})
/** Other members are not checked: they do not matter here, and would take time. */
const namedSchema = z.pick(threatSchema, {
  organizations: true,
  domains: true,
  industries: true,
  countries: true,
  redacted: true,
})
const termsSchema = z.array(z.string())
const extentSchema = z.object({ count: z.int(), oldest_at: z.nullable(z.number()) })

const FACTS = `id, extract(epoch from sorted_at)::float8 * 1000 as at, is_undated, to_json(terms)::text as terms, searched_text as text, victims,
  case when terms[cardinality(terms)] like '${FIELD_TEXTS}%' then null else threat end as threat`

/** All records in batches, newest first; changes meanwhile may be missed. The next batch is read while one is taken in. */
export async function* readAllFacts(db: Database): AsyncGenerator<RowFacts[]> {
  const fullTexts = await readFullTexts(db, 'all')
  let next: Promise<unknown[]> | null = readBatch(db, null)
  while (next) {
    const rows: unknown[] = await next
    const last = rows.at(-1)
    next = rows.length < BATCH_COUNT ? null : readBatch(db, factsSchema.parse(last))
    // A caller may never take the next rows, so this failure is ignored.
    next?.catch(() => {})
    yield rows.map((row) => withFullText(toFacts(row), fullTexts))
  }
}

async function readBatch(db: Database, after: { id: string; at: number } | null): Promise<unknown[]> {
  return readRows(db, z.unknown(), [after && new Date(Math.round(after.at)), after?.id ?? null])`
    select ${FACTS}
      from window_threat
     where $1::timestamptz is null or (sorted_at, id) < ($1, $2)
     order by sorted_at desc, id desc
     limit ${BATCH_COUNT}`
}

/** The records that came after a change. */
export async function readFactsSince(db: Database, revision: number): Promise<RowFacts[]> {
  const rows = await readRows(db, z.unknown(), [revision])`
    select ${FACTS} from window_threat where revision > $1`
  return withFullTexts(db, rows.map(toFacts))
}

/** Some records, within the transaction that stores them. */
export async function readFactsOf(tx: Database, ids: readonly string[]): Promise<RowFacts[]> {
  const rows = await readRows(tx, z.unknown(), [ids])`select ${FACTS} from window_threat where id = any($1)`
  return withFullTexts(tx, rows.map(toFacts))
}

/** A record as its own page shows it, stored or not. */
export async function readFactsOfDetail(
  db: Database,
  { content, ...threat }: ThreatDetail,
): Promise<RowFacts> {
  const [stored] = await readFactsOf(db, [threat.id])
  const facts = stored ?? {
    id: threat.id,
    at: rowTime(Date.parse(threat.publishedAt ?? '') || 0, threat.publishedAt === null),
    terms: termsOf(threat).map(({ term }) => term),
    searchedText: searchedText(threat),
    fieldTexts: countFieldTexts(threat),
  }
  return withFullText(facts, new Map(content === null ? [] : [[threat.id, normaliseText(content)]]))
}

export async function readIds(db: Database): Promise<Set<string>> {
  return new Set(await readRows(db, onlyColumn(z.string()))`select id from window_threat`)
}

export async function readExtent(db: Database): Promise<{ count: number; oldestAt: number }> {
  const { count, oldest_at } = await readRow(db, extentSchema)`
    select count(*) as count, extract(epoch from min(sorted_at))::float8 * 1000 as oldest_at from window_threat`
  return { count, oldestAt: oldest_at ?? Number.POSITIVE_INFINITY }
}

/** Reads how records write some terms. */
export async function readTermValues(db: Database, terms: readonly string[]): Promise<Map<string, string>> {
  const found = await readRows(db, z.object({ term: z.string(), value: z.string() }), [terms])`
    select term, value from window_term where term = any($1)`
  return new Map(found.map(({ term, value }) => [term, value]))
}

function toFacts(row: unknown): RowFacts {
  const { id, at, is_undated, terms, text, victims, threat } = factsSchema.parse(row)
  const own = termsSchema.parse(JSON.parse(terms))
  const facts = { id, at: rowTime(Math.round(at), is_undated), searchedText: text, victims }
  const fieldTexts = parseFieldTexts(own.at(-1))
  if (fieldTexts) return { ...facts, fieldTexts, terms: own.slice(0, -1) }
  // Records from before these terms existed get them here.
  const named = namedSchema.parse(JSON.parse(threat ?? '{}'))
  return {
    ...facts,
    fieldTexts: countFieldTexts(named),
    terms: [...new Set([...own, ...termsOfWithheld(named.redacted)])],
  }
}

async function withFullTexts(db: Database, facts: readonly RowFacts[]): Promise<RowFacts[]> {
  const fullTexts = await readFullTexts(
    db,
    facts.map(({ id }) => id),
  )
  return facts.map((one) => withFullText(one, fullTexts))
}

/** Full texts come first: the texts of fields are counted from the end. */
function withFullText(facts: RowFacts, fullTexts: ReadonlyMap<string, string>): RowFacts {
  const fullText = fullTexts.get(facts.id)
  if (fullText === undefined) return facts
  return {
    ...facts,
    terms: [...facts.terms, FULL_TEXT_TERM],
    searchedText: fullText + facts.searchedText,
  }
}
