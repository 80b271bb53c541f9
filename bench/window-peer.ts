import * as z from 'zod/mini'
import { wantedTerms } from '#bff/store/index/threat-terms.ts'
import { momentsOfDays } from '#bff/time/start-of-day.ts'
import {
  type Grouping,
  type ListOrder,
  orderOf,
  type Sort,
  type TeamSort,
} from '#contract/bff/arrangement.ts'
import { threatSchema } from '#contract/bff/threat.ts'
import { FACET_NAMES, type FacetName, type ThreatFilter } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { parseQuery } from '#matcher/query/parse-query.ts'
import type { DaySpan } from '#matcher/query/query-days.ts'
import { type QueryContext, type QueryTest, testsOf } from '#matcher/query/query-tests.ts'
import type { QueryNode } from '#matcher/query/query-tree.ts'

const PAGE_LIMIT = 50

/** Conditions of SQL with the parameters that they name. */
type Scope = { where: string; values: unknown[] }

/** What is compared. */
export type SqlAnswer = { total: number; ids: string[] }

/** What PostgreSQL needs to look up what is asked for; Lantern asks it no such thing. */
export async function indexForSql(db: Database): Promise<void> {
  // PL/pgSQL, since the planner must know that tokens are dear to make: it would inline SQL, and scan where it can look up.
  await db.query(
    `create function window_tokens(searched_text text) returns text[]
     language plpgsql immutable strict parallel safe cost 500 as $$
     begin
       return string_to_array(searched_text, ' ');
     end $$`,
  )
  await db.query(
    'create index window_threat_found on window_threat using gin (terms, window_tokens(searched_text))',
  )
  await db.query('vacuum analyze window_threat')
}

/** The peer: the same answer by SQL alone, on the same rows and indexes. */
export async function answerBySql(
  db: Database,
  { sort, order, group, ...filter }: ThreatFilter & ListOrder,
  nowMs: number,
): Promise<SqlAnswer> {
  const scope = scopeOf(filter, nowMs)
  const used = FACET_NAMES.filter((name) => filter[name] !== undefined)
  const unused = FACET_NAMES.filter((name) => !used.includes(name))
  const [total, page] = await Promise.all([
    countThreats(db, scope),
    readPage(db, scope, orderBy({ sort, order, group })),
    countValues(db, scope, unused),
    ...used.map((name) => countValues(db, scopeOf({ ...filter, [name]: undefined }, nowMs), [name])),
  ])
  return { total, ids: page.map(({ id }) => id) }
}

/** How many threats each group of a list has, the first 500 of them. */
export async function countGroupsBySql(
  db: Database,
  group: Grouping,
  filter: ThreatFilter,
  nowMs: number,
): Promise<number[]> {
  const { where, values } = scopeOf(filter, nowMs)
  const { rows } = await db.query(
    `select count(*) as count from (select ${VALUES[group]} as key from window_threat where ${where}) keyed
      group by key order by key ${wayOf(group)} nulls last limit 500`,
    values,
  )
  return rows.map((row) => z.object({ count: z.int() }).parse(row).count)
}

const firstTerm = (name: string) =>
  `(select substr(term, ${name.length + 2}) from unnest(terms) with ordinality as of_row(term, place)
     where starts_with(term, '${name}:') order by place limit 1)`
const GRAVITY = `array_position(array['low', 'medium', 'high', 'critical'], ${firstTerm('severity')})`
/** By codes where Lantern goes by names of countries: they are not compared. */
const VALUES: Record<Exclude<Sort | Grouping, TeamSort>, string> = {
  published: 'sorted_at',
  day: `date_trunc('day', sorted_at at time zone 'utc')`,
  severity: GRAVITY,
  victim: 'victims[1] collate "C"',
  actor: `${firstTerm('actor')} collate "C"`,
  category: `${firstTerm('category')} collate "C"`,
  country: `${firstTerm('country')} collate "C"`,
}

function orderBy(query: ListOrder): string {
  const { sort = 'published', group } = query
  if (sort === 'activity' || sort === 'due') throw new Error(`SQL is not compared by ${sort}`)
  const isByTime = sort === 'published' && orderOf(query) === 'desc'
  const groups = group ? [`${VALUES[group]} ${wayOf(group)} nulls last`] : []
  const sorted = isByTime ? [] : [`${VALUES[sort]} ${orderOf(query)} nulls last`]
  return [...groups, ...sorted, 'sorted_at desc', 'id desc'].join(', ')
}

function wayOf(group: Grouping): 'asc' | 'desc' {
  return group === 'day' || group === 'severity' ? 'desc' : 'asc'
}

function scopeOf(filter: ThreatFilter, nowMs: number): Scope {
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
  const { tree } = parseQuery(filter.q ?? '')
  if (tree) {
    const momentsOf = (days: DaySpan) => momentsOfDays(days, 'UTC', nowMs)
    const context = { momentsOf, marksOf: () => undefined, profilesOf: () => [] }
    conditions.push(conditionOf(tree, { context, parameter: (value) => `$${values.push(value)}` }))
  }
  return { where: conditions.length > 0 ? conditions.join(' and ') : 'true', values }
}

type Writing = { context: QueryContext; parameter(value: unknown): string }

/** What a query asks for, as SQL has it: the same trees, and none of our own code for rows. */
function conditionOf(node: QueryNode, writing: Writing): string {
  if ('parts' in node)
    return `(${node.parts.map((part) => conditionOf(part, writing)).join(` ${node.kind} `)})`
  if (node.kind === 'not') return `not ${conditionOf(node.part, writing)}`
  const tests = testsOf(node, writing.context).map((test) => conditionOfTest(test, writing))
  return tests.length > 0 ? `(${tests.join(' or ')})` : 'false'
}

function conditionOfTest(test: QueryTest, { parameter }: Writing): string {
  switch (test.kind) {
    case 'text': {
      const { tokens = [], normalised = '' } = test.wanted.keyword ?? {}
      if (test.wanted.isPrefix) return `strpos(searched_text, ${parameter(normalised.slice(0, -1))}) > 0`
      const holdsAll = `window_tokens(searched_text) @> ${parameter([...new Set(tokens)])}::text[]`
      return tokens.length === 1
        ? holdsAll
        : `(${holdsAll} and strpos(searched_text, ${parameter(normalised)}) > 0)`
    }
    case 'value': {
      const values =
        test.name === 'victim'
          ? 'unnest(victims) value'
          : `(select substr(term, ${test.name.length + 2}) as value from unnest(terms) term
               where starts_with(term, '${test.name}:')) of_name`
      const wanted = parameter(test.wanted.keyword?.normalised ?? '')
      return `exists (select 1 from ${values} where strpos(' ' || value || ' ', ${wanted}) > 0)`
    }
    case 'country':
      return `terms && ${parameter(test.codes.map((code) => `country:${code}`))}::text[]`
    case 'level':
      return `terms && ${parameter(test.levels.map((level) => `severity:${level}`))}::text[]`
    case 'time': {
      const { start, end } = test.moments
      const from = Number.isFinite(start) ? [`sorted_at >= ${parameter(new Date(start))}`] : []
      const to = Number.isFinite(end) ? [`sorted_at < ${parameter(new Date(end))}`] : []
      return [...from, ...to].join(' and ')
    }
    default:
      throw new Error(`SQL is not compared by ${test.kind}`)
  }
}

async function countThreats(db: Database, { where, values }: Scope): Promise<number> {
  const { rows } = await db.query(`select count(*) as total from window_threat where ${where}`, values)
  return z.object({ total: z.int() }).parse(rows[0]).total
}

async function readPage(db: Database, { where, values }: Scope, order: string) {
  const { rows } = await db.query(
    `select threat from window_threat where ${where} order by ${order} limit ${PAGE_LIMIT}`,
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
