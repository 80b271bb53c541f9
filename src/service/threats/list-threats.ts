import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { readRow } from '#database/read-rows.ts'
import { LISTED_COLUMNS, listedThreatSchema, WITH_CONTENT_COLUMNS } from './stored-threat.ts'
import { SCOPE_DAYS, scopeValues, type ThreatScope, threatSource, type Visibility } from './threat-scope.ts'

const sliceSchema = z.object({ total: z.int(), threats: z.array(listedThreatSchema) })
export type ThreatSlice = z.infer<typeof sliceSchema>

/** Optional members of the page. */
type Included = { include: 'content' | undefined }

/** A position between two records of the newest-first order. */
export type Position = { publishedAt: string; id: string }

/**
 * The newest records of a scope that come after a position, and the exact number of all. The order never changes under
 * a reader: records that arrive on the way move none of the others.
 */
export async function listThreatsAfter(
  db: Database,
  visibility: Visibility,
  scope: Omit<ThreatScope, 'keywords'>,
  { after, limit, include }: { after: Position | null; limit: number } & Included,
): Promise<ThreatSlice> {
  const { id, publishedAt } = threatSource(scope)
  const statement = answerSql(
    `select coalesce(sum(threats), 0)::integer from (${SCOPE_DAYS}) days`,
    pageSql(scope, {
      isBehind: `($9::timestamptz is null or (${publishedAt}, ${id}) < ($9, $10::text))`,
      limit: '$11::bigint',
      include,
    }),
  )
  const values = [...scopeValues(visibility, scope), after?.publishedAt, after?.id, limit]
  return readRow(db, sliceSchema, values)`${statement}`
}

/** The newest records of a scope after skipping some, and the exact number of all. */
export async function listThreatsFrom(
  db: Database,
  visibility: Visibility,
  scope: ThreatScope,
  { offset, limit, include }: { offset: number; limit: number } & Included,
): Promise<ThreatSlice> {
  const statement = scope.keywords ? searchSql(scope, include) : skipSql(scope, include)
  return readRow(db, sliceSchema, [...scopeValues(visibility, scope), offset, limit])`${statement}`
}

/** The roll-up says on which day the page begins, so that a far page costs no more than a near one. */
function skipSql(scope: ThreatScope, include: Included['include']): string {
  const { publishedAt } = threatSource(scope)
  return `
    with days as materialized (
      select day, threats, sum(threats) over (order by day desc) - threats as skipped from (${SCOPE_DAYS}) days
    ),
    first_day as materialized (
      select (day + 1)::timestamp at time zone 'utc' as ends_at, $9 - skipped as skip
        from days where skipped <= $9 and $9 < skipped + threats
    )
    ${answerSql(
      'select coalesce(sum(threats), 0)::integer from days',
      pageSql(scope, {
        isBehind: `${publishedAt} < (select ends_at from first_day)`,
        limit: '$10::bigint',
        offset: '(select skip from first_day)::bigint',
        include,
      }),
    )}`
}

function searchSql(scope: ThreatScope, include: Included['include']): string {
  const { from, where, undated } = threatSource(scope)
  return answerSql(
    `select (select count(*) from ${from} where ${where})::integer + (select count(*) from ${undated})::integer`,
    pageSql(scope, { isBehind: 'true', limit: '$10::bigint', offset: '$9::bigint', include }),
  )
}

type PageOf = { isBehind: string; limit: string; offset?: string } & Included

/** The records without a date come last, from an index of their own: a page is read no further for them. */
function pageSql(
  scope: Omit<ThreatScope, 'keywords'>,
  { isBehind, limit, offset = '0', include }: PageOf,
): string {
  const { from, where, undated, id, publishedAt } = threatSource(scope)
  const columns = include === 'content' ? WITH_CONTENT_COLUMNS : LISTED_COLUMNS
  const most = `order by ${publishedAt} desc, ${id} desc limit ${limit} + ${offset}`
  return `
    (select ${columns} from ${from} where ${where} and ${isBehind} ${most})
    union all
    (select ${columns} from ${undated} and ${isBehind} ${most})
    order by "publishedAt" desc, id desc
    limit ${limit} offset ${offset}`
}

/** One statement reads both, so that they are of one moment. */
function answerSql(total: string, page: string): string {
  return `
    select (${total}) as total,
      coalesce(
        (select json_agg(page order by "publishedAt" desc, id desc) from (${page}) page),
        '[]') as threats`
}
