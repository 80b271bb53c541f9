import type { Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { Fields } from './fields.ts'
import { findList } from './find-list.ts'
import { readThreat, THREAT_NAMES, type ThreatNames } from './read-threat.ts'
import { type ReadValue, readCount, readFlag, readText } from './read-value.ts'
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
  const found = findList(body, LIST_NAMES)
  if (!found) return null
  const records = found.list.slice(0, RECORDS_MAX_COUNT)
  const take = takerOfMeta([found.container, body])
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
    total: take(['total', 'totalcount'], readCount),
    cursor: take(['cursor', 'nextcursor', 'next'], readText),
    hasMore: take(['hasmore'], readFlag),
  }
}

/** Reads a list's metadata: beside its records first, and in each object by a name of its own first. */
function takerOfMeta(parts: readonly unknown[]) {
  const metas = parts.flatMap((part) => {
    const fields = Fields.of(part)
    return [fields?.open(META_NAMES) ?? [], fields ?? []].flat()
  })
  return <T>(names: readonly string[], read: ReadValue<T>): T | null =>
    metas.map((meta) => meta.take(names, read)).find((value) => value !== null) ?? null
}
