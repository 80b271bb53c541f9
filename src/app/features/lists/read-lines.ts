import { cleanText, entryCollector, noEntries, type ReadEntries } from './collect-entries.ts'

/** A host with a top-level domain of two letters or more, or an IP address: `okapi.example`, but not `S.p.A.` */
export const LIKE_DOMAIN = /^\S+\.(?:\p{L}{2,}|xn--[a-z0-9-]+|\d{1,3})\.?(?:[:/?#]\S*)?$/iu

/**
 * Reads names that somebody pasted, one a line, each with any number of domains after a comma, semicolon or tab. Commas of
 * a name such as `Okapi, Inc.` stay in it. A line of a domain alone is named by it.
 */
export function readLines(text: string): ReadEntries {
  const read = noEntries()
  const collect = entryCollector(read)
  for (const [at, whole] of text.split(/\r\n|\r|\n/).entries()) {
    const parts = whole
      .split(/[;\t]|,(?!\s*(?:inc|ltd|llc|corp|co)\b(?![.-]?\w))/i)
      .map(cleanText)
      .filter(Boolean)
    if (parts.length === 0) continue
    const domains = parts.filter((part) => LIKE_DOMAIN.test(part))
    const words = parts.filter((part) => !LIKE_DOMAIN.test(part))
    collect({ line: at + 1, whole, name: words.join(', '), domains })
  }
  return read
}
