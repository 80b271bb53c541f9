import type { Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { Fields } from './fields.ts'
import { readThreat } from './read-threat.ts'
import { membersOf, readCount, readFlag, readText } from './read-value.ts'
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
export function readThreatList(set: RouteSet, body: unknown): ThreatPage | null {
  const records = findRecords(body)?.slice(0, RECORDS_MAX_COUNT)
  if (!records) return null
  const fields = Fields.of(body)
  const meta = fields?.open(META_NAMES) ?? fields
  const threats = records.flatMap((record) => {
    const recordFields = Fields.of(record)
    return (recordFields && readThreat(set, recordFields, new Redaction())) ?? []
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

/** The records of an answer: bare, under one of the names that lists have, or one envelope deeper. */
function findRecords(body: unknown): unknown[] | null {
  if (Array.isArray(body)) return body
  const members = membersOf(body)
  for (const name of members ? LIST_NAMES : []) {
    const value = members?.get(name)
    if (Array.isArray(value)) return value
    const inner = membersOf(value)
    const list = LIST_NAMES.map((innerName) => inner?.get(innerName)).find(Array.isArray)
    if (list) return list
  }
  return null
}
