import type { Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { Fields } from './fields.ts'
import { findList } from './find-list.ts'
import { readThreat, THREAT_NAMES, type ThreatNames } from './read-threat.ts'
import { readCount, readFlag, readText } from './read-value.ts'
import { Redaction } from './redaction.ts'

const LIST_NAMES = ['data', 'threats', 'results', 'items', 'records']
const META_NAMES = ['meta', 'pagination', 'paging']
const RECORDS_MAX_COUNT = 10_000

export type ThreatPage = {
  threats: Threat[]
  /** Records of the page, the unreadable ones with them: by how many an offset moves. */
  received: number
  unreadable: number
  total: number | null
  cursor: string | null
  hasMore: boolean | null
}

/** Reads a list of either route set. Null when there is no list in it; a bad record costs only itself. */
export function readThreatList(
  set: RouteSet,
  body: unknown,
  names: ThreatNames = THREAT_NAMES,
): ThreatPage | null {
  const records = findList(body, LIST_NAMES)?.slice(0, RECORDS_MAX_COUNT)
  if (!records) return null
  const fields = Fields.of(body)
  const meta = fields?.open(META_NAMES) ?? fields
  const threats = records.flatMap((record) => {
    const recordFields = Fields.of(record)
    // Only by both names: a list's records are documented, and flat.
    recordFields?.hoist(() => true)
    return (recordFields && readThreat(set, recordFields, { names, redaction: new Redaction() })) ?? []
  })
  return {
    threats,
    received: records.length,
    unreadable: records.length - threats.length,
    total: meta?.take(['total', 'totalcount'], readCount) ?? null,
    cursor: meta?.take(['cursor', 'nextcursor', 'next'], readText) ?? null,
    hasMore: meta?.take(['hasmore'], readFlag) ?? null,
  }
}
