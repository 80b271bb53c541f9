import { readDomain } from '#contract/bff/list-domain.ts'
import { ENTRY_DOMAINS_MAX_COUNT, ENTRY_NAME_MAX_LENGTH, type EntryDraft } from '#contract/bff/list-draft.ts'

/** Lines that were understood, each entry once, and those that were not, with the reason. Lines count from 1. */
export type ReadLines = {
  entries: EntryDraft[]
  refused: { line: number; text: string; reason: string }[]
  /** Lines that repeat the name and domains of one before. */
  repeated: number[]
}

/** Something with a dot inside and no space: `okapi.example`, `https://okapi.example/about`. */
const LIKE_DOMAIN = /^[^\s]+\.[^\s.][^\s]*$/
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Reads names that somebody pasted, one a line, each with any number of domains after a comma, semicolon or tab. Commas of
 * a name such as `Okapi, Inc.` stay in it. A line of a domain alone is named by it.
 */
export function readLines(text: string): ReadLines {
  const read: ReadLines = { entries: [], refused: [], repeated: [] }
  const known = new Set<string>()
  for (const [at, whole] of text.split(/\r\n|\r|\n/).entries()) {
    const line = at + 1
    const parts = whole
      .toWellFormed()
      .split(/[;\t]|,(?!\s*(?:inc|ltd|llc|corp|co)\b)/i)
      .map((part) => part.replace(UNSEEN, '').trim())
      .filter(Boolean)
    if (parts.length === 0) continue
    const domainTexts = parts.filter((part) => LIKE_DOMAIN.test(part))
    const words = parts.filter((part) => !LIKE_DOMAIN.test(part))
    const domains = domainTexts.map(readDomain)
    const fault = domains.find((domain) => 'fault' in domain)
    const found = [...new Set(domains.flatMap((domain) => ('domain' in domain ? domain.domain : [])))].sort()
    const name = words.join(', ') || (found[0] ?? '')
    const refuse = (reason: string) => read.refused.push({ line, text: whole.slice(0, 200), reason })
    if (fault && 'fault' in fault) refuse(fault.fault)
    else if (name.length > ENTRY_NAME_MAX_LENGTH)
      refuse(`A name has ${ENTRY_NAME_MAX_LENGTH} characters at most.`)
    else if (found.length > ENTRY_DOMAINS_MAX_COUNT)
      refuse(`An entry has ${ENTRY_DOMAINS_MAX_COUNT} domains at most.`)
    else if (known.has(keyOf(name, found))) read.repeated.push(line)
    else {
      known.add(keyOf(name, found))
      read.entries.push({ name, domains: found, note: null, key: null, weight: 'normal' })
    }
  }
  return read
}

function keyOf(name: string, domains: readonly string[]): string {
  return JSON.stringify([name.toLowerCase(), domains])
}
