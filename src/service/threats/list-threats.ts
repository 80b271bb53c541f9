import * as z from 'zod/mini'
import type { Database } from '#database/database.ts'
import { LISTED_COLUMNS, listedThreatSchema } from './stored-threat.ts'
import { SCOPE_DAYS, scopeValues, type ThreatScope, threatSource, type Visibility } from './threat-scope.ts'

const answerSchema = z.tuple([z.object({ total: z.int(), threats: z.array(listedThreatSchema) })])
export type ThreatSlice = z.infer<typeof answerSchema>[0]

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
  { after, limit }: { after: Position | null; limit: number },
): Promise<ThreatSlice> {
  const { from, where, id, publishedAt } = threatSource(scope)
  const { rows } = await db.query(
    answerSql(
      `select coalesce(sum(threats), 0)::integer from (${SCOPE_DAYS}) days`,
      `select ${LISTED_COLUMNS}
         from ${from}
        where ${where}
          and ($9::timestamptz is null or (${publishedAt}, ${id}) < ($9, $10::text))
        order by ${publishedAt} desc, ${id} desc
        limit $11`,
    ),
    [...scopeValues(visibility, scope), after?.publishedAt, after?.id, limit],
  )
  return answerSchema.parse(rows)[0]
}

/** The newest records of a scope after skipping some, and the exact number of all. */
export async function listThreatsFrom(
  db: Database,
  visibility: Visibility,
  scope: ThreatScope,
  { offset, limit }: { offset: number; limit: number },
): Promise<ThreatSlice> {
  const { rows } = await db.query(scope.keywords ? searchSql(scope) : skipSql(scope), [
    ...scopeValues(visibility, scope),
    offset,
    limit,
  ])
  return answerSchema.parse(rows)[0]
}

/** The roll-up says on which day the page begins, so that a far page costs no more than a near one. */
function skipSql(scope: ThreatScope): string {
  const { from, where, id, publishedAt } = threatSource(scope)
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
      `select ${LISTED_COLUMNS}
         from ${from}
        where ${where} and ${publishedAt} < (select ends_at from first_day)
        order by ${publishedAt} desc, ${id} desc
        limit $10 offset (select skip from first_day)`,
    )}`
}

function searchSql(scope: ThreatScope): string {
  const { from, where, id, publishedAt } = threatSource(scope)
  return answerSql(
    `select count(*)::integer from ${from} where ${where}`,
    `select ${LISTED_COLUMNS}
       from ${from}
      where ${where}
      order by ${publishedAt} desc, ${id} desc
      limit $10 offset $9`,
  )
}

/** One statement for both, so that they are of one moment. */
function answerSql(total: string, page: string): string {
  return `
    select (${total}) as total,
      coalesce(
        (select json_agg(page order by "publishedAt" desc, id desc) from (${page}) page),
        '[]') as threats`
}
