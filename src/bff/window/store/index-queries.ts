import * as z from 'zod/mini'
import type { RowFacts } from '#bff/window/index/index-rows.ts'
import type { Database } from '#database/database.ts'

/** Each takes a moment to be taken in, in which nobody else is answered. */
const BATCH_COUNT = 1_000

const factsSchema = z.object({ id: z.string(), at: z.number(), terms: z.string(), text: z.string() })
const termsSchema = z.array(z.string())
const extentSchema = z.object({ count: z.int(), oldest_at: z.nullable(z.number()) })

const FACTS = `id, extract(epoch from sorted_at)::float8 * 1000 as at, to_json(terms)::text as terms, searched_text as text`

/** All records in batches, newest first; changes meanwhile may be missed. */
export async function* readAllFacts(db: Database): AsyncGenerator<RowFacts[]> {
  let last: RowFacts | undefined
  for (;;) {
    const { rows } = await db.query(
      `select ${FACTS}
         from window_threat
        where $1::timestamptz is null or (sorted_at, id) < ($1, $2)
        order by sorted_at desc, id desc
        limit ${BATCH_COUNT}`,
      [last ? new Date(last.at) : null, last?.id ?? null],
    )
    const facts = rows.map(toFacts)
    yield facts
    last = facts.at(-1)
    if (facts.length < BATCH_COUNT) return
  }
}

/** The records that came after a change. */
export async function readFactsSince(db: Database, revision: number): Promise<RowFacts[]> {
  const { rows } = await db.query(`select ${FACTS} from window_threat where revision > $1`, [revision])
  return rows.map(toFacts)
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
  const { id, at, terms, text } = factsSchema.parse(row)
  return { id, at: Math.round(at), terms: termsSchema.parse(JSON.parse(terms)), searchedText: text }
}
