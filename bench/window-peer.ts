import { FACET_NAMES, type FacetName } from '#bff/window/index/threat-terms.ts'
import { countThreats, readPage } from '#bff/window/store/threat-queries.ts'
import { type Scope, scopeOf, type TimeBounds } from '#bff/window/store/threat-scope.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { parseQuestion } from '#matcher/question.ts'

const UNBOUNDED: TimeBounds = { start: null, end: null }

/** The peer: the same answer by SQL alone, on the same rows and indexes. Gives the total, to be compared. */
export async function answerBySql(db: Database, filter: ThreatFilter): Promise<number> {
  const question = parseQuestion(filter.q ?? '')
  const scope = scopeOf(filter, UNBOUNDED, question)
  const used = FACET_NAMES.filter((name) => filter[name] !== undefined)
  const unused = FACET_NAMES.filter((name) => !used.includes(name))
  const [total] = await Promise.all([
    countThreats(db, scope),
    readPage(db, scope, { after: null, limit: 50 }),
    countValues(db, scope, unused),
    ...used.map((name) =>
      countValues(db, scopeOf({ ...filter, [name]: undefined }, UNBOUNDED, question), [name]),
    ),
  ])
  return total
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
