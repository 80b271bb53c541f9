import { cleanText, entryCollector, noEntries, type ReadEntries } from './collect-entries.ts'

/** Reads domains that somebody typed or pasted, one a line or several. Each is an entry, named by itself. */
export function readDomains(text: string): ReadEntries {
  const read = noEntries()
  const collect = entryCollector(read)
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const parts = line
      .split(/[\s,;]+/)
      .map(cleanText)
      .filter(Boolean)
    for (const part of parts) collect({ line: at + 1, whole: part, name: '', domains: [part] })
  }
  return read
}
