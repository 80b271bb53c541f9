import { cleanText, entryCollector, noEntries, type ReadEntries } from './collect-entries.ts'

/** Something with a dot inside and no space: `okapi.example`, `https://okapi.example/about`. */
export const LIKE_DOMAIN = /^[^\s]+\.[^\s.][^\s]*$/

/**
 * Reads names that somebody pasted, one a line, each with any number of domains after a comma, semicolon or tab. Commas of
 * a name such as `Okapi, Inc.` stay in it. A line of a domain alone is named by it.
 */
export function readLines(text: string): ReadEntries {
  const read = noEntries()
  const collect = entryCollector(read)
  for (const [at, whole] of text.split(/\r\n|\r|\n/).entries()) {
    const parts = whole
      .split(/[;\t]|,(?!\s*(?:inc|ltd|llc|corp|co)\b)/i)
      .map(cleanText)
      .filter(Boolean)
    if (parts.length === 0) continue
    const domains = parts.filter((part) => LIKE_DOMAIN.test(part))
    const words = parts.filter((part) => !LIKE_DOMAIN.test(part))
    collect({ line: at + 1, whole, name: words.join(', '), domains })
  }
  return read
}
