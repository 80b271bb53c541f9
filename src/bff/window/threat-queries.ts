import * as z from 'zod/mini'
import { type Threat, threatSchema } from '#contract/bff/threat.ts'
import type { ThreatFacets } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import type { Scope } from './threat-scope.ts'
import { FACET_NAMES, type FacetName } from './threat-terms.ts'

const FACET_MAX_COUNT = 100

/** Where a page ends. */
export type WindowPlace = { at: string; id: string }

const rowSchema = z.object({ threat: z.string(), at: z.string(), id: z.string() })
const countSchema = z.object({ total: z.int() })
const facetRowSchema = z.object({ name: z.string(), value: z.string(), count: z.int() })

const AT = `to_char(sorted_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** One page, newest first, and the place of its last row where more follow. */
export async function readPage(
  db: Database,
  { where, values }: Scope,
  { after, limit }: { after: WindowPlace | null; limit: number },
): Promise<{ threats: Threat[]; next: WindowPlace | null }> {
  const count = values.length
  const { rows } = await db.query(
    `select threat, id, ${AT} as at
       from window_threat
      where ${where}
        and ($${count + 1}::timestamptz is null or (sorted_at, id) < ($${count + 1}, $${count + 2}))
      order by sorted_at desc, id desc
      limit $${count + 3}`,
    [...values, after?.at ?? null, after?.id ?? null, limit + 1],
  )
  const page = rows.slice(0, limit).map((row) => rowSchema.parse(row))
  const last = page.at(-1)
  return {
    threats: page.map(({ threat }) => threatSchema.parse(JSON.parse(threat))),
    next: last && rows.length > limit ? { at: last.at, id: last.id } : null,
  }
}

export async function countThreats(db: Database, { where, values }: Scope): Promise<number> {
  const { rows } = await db.query(`select count(*) as total from window_threat where ${where}`, values)
  return countSchema.parse(rows[0]).total
}

/** How often each value of some names occurs among the records of a scope, most frequent first. */
export async function countValues(
  db: Database,
  { where, values }: Scope,
  names: readonly FacetName[],
): Promise<Partial<ThreatFacets>> {
  const { rows } = await db.query(
    `select name, value, count
       from (
         select name, term, count, row_number() over (partition by name order by count desc, term) as place
           from (
             -- Names are looked at once a term, not once a record: hence the fence.
             select term, count(*) as count
               from window_threat, unnest(terms) term
              where ${where}
              group by term
             offset 0
           ) grouped, split_part(term, ':', 1) name
          where name = any($${values.length + 1})
       ) counted
       join window_term using (term)
      where place <= ${FACET_MAX_COUNT}
      order by place`,
    [...values, names],
  )
  const counted = rows.map((row) => facetRowSchema.parse(row))
  return Object.fromEntries(
    FACET_NAMES.filter((name) => names.includes(name)).map((name) => [
      name,
      counted.filter((row) => row.name === name).map(({ value, count }) => ({ value, count })),
    ]),
  )
}

/** One record, as the list told it. */
export async function findThreat(db: Database, id: string): Promise<Threat | null> {
  const { rows } = await db.query('select threat from window_threat where id = $1', [id])
  const row = rows.map((found) => z.object({ threat: z.string() }).parse(found)).at(0)
  return row ? threatSchema.parse(JSON.parse(row.threat)) : null
}

/** When the newest record is from; null while there is none. */
export async function readNewestTime(db: Database): Promise<string | null> {
  const { rows } = await db.query(
    `select ${AT} as at from window_threat order by sorted_at desc, id desc limit 1`,
  )
  return rows.map((row) => z.object({ at: z.string() }).parse(row)).at(0)?.at ?? null
}
