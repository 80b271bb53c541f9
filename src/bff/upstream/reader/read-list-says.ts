import type { ListSays } from '#contract/bff/threat.ts'
import type { Fields } from './fields.ts'
import { THREAT_NAMES } from './read-threat.ts'
import { readThreatParts } from './read-threat-parts.ts'
import { membersOf, readFlag, readNumber, readText } from './read-value.ts'
import { Redaction } from './redaction.ts'

const HOST_MAX_LENGTH = 253
/** Deeper than any part is documented to be. */
const BLANK_MAX_DEPTH = 4

/**
 * Reads what a list's record reports of the parts that only its own record is sure to hold. An empty member reports that
 * there is none; an absent, withheld or unreadable one reports nothing. Null if nothing is reported.
 */
export function readListSays(fields: Fields): ListSays | null {
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
