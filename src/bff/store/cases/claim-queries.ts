import * as z from 'zod/mini'
import { registrableDomains } from '#bff/store/lists/registrable-domain.ts'
import { CASE_DAYS } from '#contract/bff/case.ts'
import type { Database } from '#database/database.ts'
import { execute, onlyColumn, readRows } from '#database/read-rows.ts'
import type { Claim, Join } from '#matcher/cases/claim.ts'
import { victimHosts } from '#matcher/cases/read-claim.ts'

/** Others that one key brings to a claim, before it and after it. A key that more claims have still connects them, each with the next ones. */
const NEAR_MAX_COUNT = 40
/** Claims that one statement marks. */
const MARKED_MAX_COUNT = 20_000

const claimSchema = z.pipe(
  z.pipe(
    z.object({ id: z.string(), sortedAt: z.string(), threat: z.string() }),
    z.transform(({ threat, ...row }): unknown => ({ ...JSON.parse(threat), ...row })),
  ),
  z.object({
    id: z.string(),
    sortedAt: z.string(),
    publishedAt: z.nullable(z.iso.datetime()),
    title: z.nullable(z.string()),
    organizations: z.array(z.string()),
    domains: z.array(z.string()),
    countries: z.array(z.object({ code: z.nullable(z.string()) })),
    actors: z.array(z.string()),
    category: z.nullable(z.string()),
  }),
)
/** `sortedAt`: where the claim stands among the others, also without a date; as the database writes times. */
export type StoredClaim = Claim & { sortedAt: string }

/**
 * Holds records until the transaction ends, and answers those that are stored. One that is being deleted is left out.
 */
export async function holdRecords(tx: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  return readRows(tx, onlyColumn(z.string()), [ids])`
    select id from window_threat where id = any($1) for key share skip locked`
}

const placedSchema = z.object({ id: z.string(), caseId: z.string() })

/** Reads of which cases these claims are. Those that no case has are absent. */
export async function readCaseIds(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await readRows(db, placedSchema, [ids])`
    select threat_id as id, case_id::text as "caseId" from case_claim where threat_id = any($1)`
  return new Map(rows.map(({ id, caseId }) => [id, caseId]))
}

/** Reads claims that are still stored. */
export async function readClaims(db: Database, ids: readonly string[]): Promise<StoredClaim[]> {
  if (ids.length === 0) return []
  const rows = await readRows(db, claimSchema, [ids])`
    select id, sorted_at::text as "sortedAt", threat from window_threat where id = any($1)`
  return rows.map((row) => ({
    id: row.id,
    sortedAt: row.sortedAt,
    at: row.publishedAt === null ? null : Date.parse(row.publishedAt),
    title: row.title,
    victims: row.organizations,
    domains: registrableDomains([
      ...row.domains,
      ...victimHosts({ title: row.title, victims: row.organizations }),
    ]),
    countries: row.countries.flatMap(({ code }) => code ?? []),
    actors: row.actors,
    categories: row.category === null ? [] : [row.category],
  }))
}

const placeSchema = z.object({ id: z.string(), sortedAt: z.string() })
/** The place of a claim among all, oldest first. */
export type ClaimPlace = z.infer<typeof placeSchema>
/** Before all claims. */
export const FIRST_PLACE: ClaimPlace = { id: '', sortedAt: '-infinity' }

/** Reads the next claims that no case has, or that must be compared again. */
export async function readUncompared(db: Database, after: ClaimPlace, limit: number): Promise<ClaimPlace[]> {
  return readRows(db, placeSchema, [after.sortedAt, after.id, limit])`
    select id, sorted_at::text as "sortedAt" from window_threat
     where (sorted_at, id) > ($1::timestamptz, $2)
       and not exists (select from case_claim where threat_id = window_threat.id and is_compared)
     order by sorted_at, id limit $3`
}

/** Reads which claims have had a case before: only these can have keys and links. */
export async function readPlaced(tx: Database, ids: readonly string[]): Promise<string[]> {
  return readRows(tx, onlyColumn(z.string()), [ids])`
    select threat_id as id from case_claim where threat_id = any($1)`
}

/** Marks all claims to be compared again, in pieces: a statement may take 5 s. */
export async function compareAllAgain(tx: Database): Promise<void> {
  for (;;) {
    const count = await execute(tx, [MARKED_MAX_COUNT])`
      update case_claim set is_compared = false
       where threat_id = any(array(select threat_id from case_claim where is_compared limit $1))`
    if (count < MARKED_MAX_COUNT) return
  }
}

export async function markCompared(tx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await execute(tx, [ids])`
    update case_claim set is_compared = true where threat_id = any($1) and not is_compared`
}

export type ClaimKey = { key: string; threatId: string; at: string }

/** Writes keys in place of those that some claims have. */
export async function replaceKeys(
  tx: Database,
  placedIds: readonly string[],
  keys: readonly ClaimKey[],
): Promise<void> {
  if (placedIds.length > 0)
    await tx.query('delete from window_case_key where threat_id = any($1)', [placedIds])
  await execute(tx, columnsOf(keys))`
    insert into window_case_key (key, threat_id, at)
    select * from unnest($1::text[], $2::text[], $3::timestamptz[])
    on conflict do nothing`
}

export const claimIdsSchema = z.object({ one: z.string(), other: z.string() })
export type ClaimIds = z.infer<typeof claimIdsSchema>

function columnsOf(keys: readonly ClaimKey[]) {
  return [keys.map(({ key }) => key), keys.map(({ threatId }) => threatId), keys.map(({ at }) => at)]
}

/**
 * Finds the pairs of the claims that have some keys, and others that have one of these and are near enough in time: the
 * next ones before and after each. Claims that are placed together have the same pairs as those placed one by one.
 */
export async function findNearPairs(tx: Database, keys: readonly ClaimKey[]): Promise<ClaimIds[]> {
  return readRows(tx, claimIdsSchema, [...columnsOf(keys), CASE_DAYS])`
    select distinct least(own.id, near.threat_id) as one, greatest(own.id, near.threat_id) as other
      from (select key, id collate "C" as id, at from unnest($1::text[], $2::text[], $3::timestamptz[]) as given (key, id, at)) own
      cross join lateral (
        (select threat_id from window_case_key
          where key = own.key and (at, threat_id) < (own.at, own.id) and at >= own.at - make_interval(days => $4)
          order by at desc, threat_id desc limit ${NEAR_MAX_COUNT})
        union all
        (select threat_id from window_case_key
          where key = own.key and (at, threat_id) > (own.at, own.id) and at <= own.at + make_interval(days => $4)
          order by at, threat_id limit ${NEAR_MAX_COUNT})) near`
}

export type ClaimLink = ClaimIds & Join

/** Writes links in place of those that some claims have. The ids of a link are in the order of the database. */
export async function replaceLinks(
  tx: Database,
  placedIds: readonly string[],
  links: readonly ClaimLink[],
): Promise<void> {
  if (placedIds.length > 0)
    await tx.query('delete from window_case_link where one_id = any($1) or other_id = any($1)', [placedIds])
  if (links.length === 0) return
  await execute(tx, [JSON.stringify(links)])`
    insert into window_case_link (one_id, other_id, certainty, rule, words)
    select one, other, certainty, rule, text
      from jsonb_to_recordset($1::jsonb) as given (one text, other text, certainty text, rule text, text text)`
}
