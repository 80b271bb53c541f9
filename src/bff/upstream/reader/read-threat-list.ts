import { createHash } from 'node:crypto'
import type { ListSays, Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { foldNames } from './field-names.ts'
import { Fields } from './fields.ts'
import { findList } from './find-list.ts'
import { readThreat, THREAT_NAMES } from './read-threat.ts'
import { readThreatParts } from './read-threat-parts.ts'
import { membersOf, type ReadValue, readCount, readFlag, readNumber, readText } from './read-value.ts'
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

const HOST_MAX_LENGTH = 253
/** Deeper than any part is documented to be. */
const BLANK_MAX_DEPTH = 4

/**
 * Reads what a list's record reports of the parts that only its own record is sure to hold. An empty member reports that
 * there is none; an absent, withheld or unreadable one reports nothing. Null if nothing is reported.
 */
function readListSays(fields: Fields): ListSays | null {
  const flags = {
    analysis: fields.peek(THREAT_NAMES.analysis, toFlag),
    evidence: fields.peek(THREAT_NAMES.evidence, toFlag),
  }
  const isBlank = {
    analysis: areBlank(fields, THREAT_NAMES.analysis),
    evidence: areBlank(fields, THREAT_NAMES.evidence),
    source: areBlank(fields, THREAT_NAMES.sourceUrl),
  }
  const parts = readThreatParts(fields, new Redaction())
  const analysis = flags.analysis ?? (parts.analysis !== null || (isBlank.analysis ? false : null))
  const evidence = flags.evidence ?? (parts.evidence.length > 0 || (isBlank.evidence ? false : null))
  const source = parts.sourceUrl === null ? null : hostOf(parts.sourceUrl)
  const says = {
    ...(analysis !== null && { analysis }),
    ...(evidence !== null && { evidence }),
    ...((source !== null || (isBlank.source && parts.sourceUrl === null)) && { source }),
  }
  return Object.keys(says).length > 0 ? says : null
}

/** `evidence: 3` and `evidence: true` are no evidence, and say that there is some. */
function toFlag(value: unknown): boolean | null {
  const count = readNumber(value)
  return count === null ? readFlag(value) : count > 0
}

/** Returns true if there are members of these names, and all are empty. */
function areBlank(fields: Fields, names: readonly string[]): boolean {
  const isThere = fields.peek(names, () => true) === true
  const isFilled = fields.peek(names, (value) => (isBlankValue(value) ? null : true)) === true
  return isThere && !isFilled
}

function isBlankValue(value: unknown, depth = 0): boolean {
  if (depth > BLANK_MAX_DEPTH) return false
  const inner = Array.isArray(value) ? value : membersOf(value)?.values()
  if (!inner) return value === null || (typeof value === 'string' && readText(value) === null)
  return [...inner].every((each) => isBlankValue(each, depth + 1))
}

/** The host of an address, defanged or not; null where it has none. */
function hostOf(address: string): string | null {
  const plain = address.trim().replaceAll(/[[\](){}]/g, '')
  const rest = plain.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  const host = URL.parse(`http://${rest}`)?.hostname.replace(/\.$/, '')
  return host?.includes('.') && host.length <= HOST_MAX_LENGTH ? host : null
}
