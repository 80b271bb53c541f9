import { createHash } from 'node:crypto'
import type { Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { foldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { findList } from './find-list.ts'
import { readListSays } from './read-list-says.ts'
import { readThreat, THREAT_NAMES } from './read-threat.ts'
import { type ReadValue, readCount, readFlag, readText } from './read-value.ts'
import { Redaction } from './redaction.ts'
import usualNames from './usual-names.json' with { type: 'json' }

const NAMES = foldNames(usualNames.threatList)
const RECORDS_MAX_COUNT = 10_000
const MARK_LENGTH = 16

/** A record of a list that is no threat, with its position on the page and its identity. */
export type UnreadableRecord = {
  at: number
  /** The publication time of a neighbour; null if none on its page has one. */
  near: string | null
  reason: 'no id' | 'not an object'
  mark: string
}

export type ThreatPage = {
  threats: Threat[]
  /** Full texts, where a list gives any, by the ids of their records. */
  contents: ReadonlyMap<string, string>
  /** Records of the page, the unreadable ones with them: by how many an offset moves. */
  received: number
  unreadable: UnreadableRecord[]
  total: number | null
  cursor: string | null
  hasMore: boolean | null
}

/** Reads a list of either route set. Null when there is no list in it; a bad record costs only itself. */
export function readThreatList(set: RouteSet, body: unknown): ThreatPage | null {
  const found = findList(body, NAMES.list)
  if (!found) return null
  const records = found.list.slice(0, RECORDS_MAX_COUNT)
  const take = takerOfMeta([found.container, body])
  const threats: Threat[] = []
  const contents = new Map<string, string>()
  const unreadable: UnreadableRecord[] = []
  let near: string | null = null
  for (const [at, record] of records.entries()) {
    const recordFields = Fields.of(record)
    // Only by both names: a list's records are documented, and flat.
    recordFields?.hoist(() => true)
    const redaction = new Redaction()
    const threat = recordFields && readThreat(set, recordFields, redaction)
    near = threat?.publishedAt ?? near
    const content = threat && redaction.text('content', recordFields.take(THREAT_NAMES.content, readText))
    if (content) contents.set(threat.id, content)
    const listSays = threat && readListSays(recordFields)
    if (threat) threats.push(listSays ? { ...threat, listSays } : threat)
    else unreadable.push({ at, near, reason: recordFields ? 'no id' : 'not an object', mark: markOf(record) })
  }
  const first = threats.find(({ publishedAt }) => publishedAt !== null)?.publishedAt ?? null
  return {
    threats,
    contents,
    received: records.length,
    unreadable: unreadable.map((record) => ({ ...record, near: record.near ?? first })),
    total: take(NAMES.total, readCount),
    cursor: take(NAMES.cursor, readText),
    hasMore: take(NAMES.hasMore, readFlag),
  }
}

function markOf(record: unknown): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, MARK_LENGTH)
}

/** Reads a list's metadata: beside its records first, and in each object by a name of its own first. */
function takerOfMeta(parts: readonly unknown[]) {
  const metas = parts.flatMap((part) => {
    const fields = Fields.of(part)
    return [fields?.open(NAMES.meta) ?? [], fields ?? []].flat()
  })
  return <T>(names: readonly string[], read: ReadValue<T>): T | null =>
    metas.map((meta) => meta.take(names, read)).find((value) => value !== null) ?? null
}
