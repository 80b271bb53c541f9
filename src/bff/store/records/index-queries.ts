import * as z from 'zod/mini'
import { readFullTexts } from '#bff/store/full-text/full-text-queries.ts'
import { placedAt, type RowFacts, rowTime } from '#bff/store/index/index-rows.ts'
import { countFieldTexts, FULL_TEXT_TERM, termsOfWithheld } from '#bff/store/index/threat-terms.ts'
import { threatSchema } from '#contract/bff/threat.ts'
import type { Database } from '#database/database.ts'

/** Each takes a moment to be taken in, in which nobody else is answered. */
const BATCH_COUNT = 1_000

const factsSchema = z.object({
  id: z.string(),
  at: z.number(),
  is_undated: z.boolean(),
  terms: z.string(),
  text: z.string(),
  threat: z.string(),
})
/** What the rest of a record is does not matter here, and would take its time. */
const namedSchema = z.pick(threatSchema, {
  organizations: true,
  domains: true,
  industries: true,
  countries: true,
  redacted: true,
})
const termsSchema = z.array(z.string())
const extentSchema = z.object({ count: z.int(), oldest_at: z.nullable(z.number()) })

const FACTS = `id, extract(epoch from sorted_at)::float8 * 1000 as at, is_undated, to_json(terms)::text as terms, searched_text as text, threat`

/** All records in batches, newest first; changes meanwhile may be missed. */
export async function* readAllFacts(db: Database): AsyncGenerator<RowFacts[]> {
  const fullTexts = await readFullTexts(db, 'all')
  let last: RowFacts | undefined
  for (;;) {
    const { rows } = await db.query(
      `select ${FACTS}
         from window_threat
        where $1::timestamptz is null or (sorted_at, id) < ($1, $2)
        order by sorted_at desc, id desc
        limit ${BATCH_COUNT}`,
      [last ? new Date(placedAt(last.at)) : null, last?.id ?? null],
    )
    const facts = rows.map((row) => withFullText(toFacts(row), fullTexts))
    yield facts
    last = facts.at(-1)
    if (facts.length < BATCH_COUNT) return
  }
}

/** The records that came after a change. */
export async function readFactsSince(db: Database, revision: number): Promise<RowFacts[]> {
  const { rows } = await db.query(`select ${FACTS} from window_threat where revision > $1`, [revision])
  return withFullTexts(db, rows.map(toFacts))
}

/** Some records, within the transaction that stores them. */
export async function readFactsOf(tx: Database, ids: readonly string[]): Promise<RowFacts[]> {
  const { rows } = await tx.query(`select ${FACTS} from window_threat where id = any($1)`, [ids])
  return withFullTexts(tx, rows.map(toFacts))
}

export async function readExtent(db: Database): Promise<{ count: number; oldestAt: number }> {
  const { rows } = await db.query(
    `select count(*) as count, extract(epoch from min(sorted_at))::float8 * 1000 as oldest_at from window_threat`,
  )
  const { count, oldest_at } = extentSchema.parse(rows[0])
  return { count, oldestAt: oldest_at ?? Number.POSITIVE_INFINITY }
}

/** How records write some terms. */
export async function readTermValues(db: Database, terms: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query('select term, value from window_term where term = any($1)', [terms])
  const found = rows.map((row) => z.object({ term: z.string(), value: z.string() }).parse(row))
  return new Map(found.map(({ term, value }) => [term, value]))
}

function toFacts(row: unknown): RowFacts {
  const { id, at, is_undated, terms, text, threat } = factsSchema.parse(row)
  const named = namedSchema.parse(JSON.parse(threat))
  return {
    id,
    at: rowTime(Math.round(at), is_undated),
    // What was stored before these terms were has them as well.
    terms: [...new Set([...termsSchema.parse(JSON.parse(terms)), ...termsOfWithheld(named)])],
    searchedText: text,
    fieldTexts: countFieldTexts(named),
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
