import * as z from 'zod/mini'
import { FACET_NAMES, type FacetName, wantedTerms } from '#bff/window/index/threat-terms.ts'
import { threatSchema } from '#contract/bff/threat.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { parseSearch } from '#matcher/search-query.ts'

const PAGE_LIMIT = 50

/** Conditions of SQL with the parameters that they name. */
type Scope = { where: string; values: unknown[] }

/** The peer: the same answer by SQL alone, on the same rows and indexes. Gives the total, to be compared. */
export async function answerBySql(db: Database, filter: ThreatFilter): Promise<number> {
  const scope = scopeOf(filter)
  const used = FACET_NAMES.filter((name) => filter[name] !== undefined)
  const unused = FACET_NAMES.filter((name) => !used.includes(name))
  const [total] = await Promise.all([
    countThreats(db, scope),
    readPage(db, scope),
    countValues(db, scope, unused),
    ...used.map((name) => countValues(db, scopeOf({ ...filter, [name]: undefined }), [name])),
  ])
  return total
}

function scopeOf(filter: ThreatFilter): Scope {
  const values: unknown[] = []
  const conditions: string[] = []
  const add = (condition: (parameter: string) => string, value: unknown) => {
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  for (const terms of wantedTerms(filter).values()) {
    // One value is an intersection inside the index; several are a union.
    if (terms.length === 1) add((term) => `terms @> ${term}::text[]`, terms)
    else add((any) => `terms && ${any}::text[]`, terms)
  }
  const { keywords } = parseSearch(filter.q ?? '')
  const tokens = new Set(keywords.flatMap(({ tokens }) => tokens))
  if (tokens.size > 0) add((all) => `window_tokens(searched_text) @> ${all}::text[]`, [...tokens])
  for (const { tokens, normalised } of keywords) {
    if (tokens.length > 1) add((phrase) => `strpos(searched_text, ${phrase}) > 0`, normalised)
  }
  return { where: conditions.length > 0 ? conditions.join(' and ') : 'true', values }
}

async function countThreats(db: Database, { where, values }: Scope): Promise<number> {
  const { rows } = await db.query(`select count(*) as total from window_threat where ${where}`, values)
  return z.object({ total: z.int() }).parse(rows[0]).total
}

async function readPage(db: Database, { where, values }: Scope) {
  const { rows } = await db.query(
    `select threat from window_threat where ${where} order by sorted_at desc, id desc limit ${PAGE_LIMIT}`,
    values,
  )
  return rows.map((row) => threatSchema.parse(JSON.parse(z.object({ threat: z.string() }).parse(row).threat)))
}

async function countValues(db: Database, { where, values }: Scope, names: readonly FacetName[]) {
  await db.query(
    `select name, value, count
       from (
         select name, term, count, row_number() over (partition by name order by count desc, term) as place
           from (
             select term, count(*) as count
               from window_threat, unnest(terms) term
              where ${where}
              group by term
             offset 0
           ) grouped, split_part(term, ':', 1) name
          where name = any($${values.length + 1})
       ) counted
       join window_term using (term)
      where place <= 100
      order by place`,
    [...values, names],
  )
}
