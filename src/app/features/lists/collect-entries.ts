import { readDomain } from '#contract/bff/list-domain.ts'
import { ENTRY_DOMAINS_MAX_COUNT, ENTRY_NAME_MAX_LENGTH, type EntryDraft } from '#contract/bff/list-draft.ts'

const NOTE_MAX_LENGTH = 1_000
const KEY_MAX_LENGTH = 120
const SHOWN_MAX_LENGTH = 200
/** Stands for bytes that are no character in the encoding of a file. */
const UNDECODED = '\uFFFD'
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Lines that were understood, each entry once, and those that were not, with the reason. Lines count from 1. */
export type ReadEntries = {
  entries: EntryDraft[]
  /** The line of each entry. */
  lines: { line: number; text: string }[]
  refused: { line: number; text: string; reason: string }[]
  /** Lines that repeat the name and domains of one before. */
  repeated: { line: number; name: string }[]
  /** Addresses of which only the domain is stored. */
  reduced: { line: number; text: string; domain: string }[]
}

/** The parts of a line before they are checked. */
type EntryTexts = {
  line: number
  /** A refused line is shown with all its text. */
  whole: string
  name: string
  domains: readonly string[]
  note?: string
  key?: string
  isCritical?: boolean
}

export function noEntries(): ReadEntries {
  return { entries: [], lines: [], refused: [], repeated: [], reduced: [] }
}

/** The visible characters of a text, on one line. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\s+/g, ' ').replace(UNSEEN, '').trim()
}

/** Adds lines to what was read, each checked by itself. An entry without a name is named by its first domain. */
export function entryCollector(read: ReadEntries): (texts: EntryTexts) => void {
  const known = new Set<string>()
  return ({ line, whole, name: givenName, domains: texts, note = '', key = '', isCritical = false }) => {
    const found = new Set<string>()
    const reduced: ReadEntries['reduced'] = []
    const shown = { line, text: whole.slice(0, SHOWN_MAX_LENGTH) }
    const refuse = (reason: string) => {
      read.refused.push({ ...shown, reason })
    }
    if ([givenName, note, key, ...texts].some((text) => text.includes(UNDECODED)))
      return refuse('A character could not be decoded. Save the file as CSV UTF-8, or correct the line.')
    for (const text of texts) {
      const result = readDomain(text)
      if ('fault' in result) return refuse(result.fault)
      found.add(result.domain)
      if (result.domain !== text.toLowerCase()) reduced.push({ line, text, domain: result.domain })
    }
    const domains = [...found].sort()
    const name = givenName || (domains[0] ?? '')
    if (name === '') return refuse('It has no name and no domain.')
    if (name.length > ENTRY_NAME_MAX_LENGTH)
      return refuse(`A name has ${ENTRY_NAME_MAX_LENGTH} characters at most.`)
    if (domains.length > ENTRY_DOMAINS_MAX_COUNT)
      return refuse(`An entry has ${ENTRY_DOMAINS_MAX_COUNT} domains at most.`)
    if (note.length > NOTE_MAX_LENGTH) return refuse(`A note has ${NOTE_MAX_LENGTH} characters at most.`)
    if (key.length > KEY_MAX_LENGTH) return refuse(`A reference has ${KEY_MAX_LENGTH} characters at most.`)
    const identity = JSON.stringify([name.toLowerCase(), domains])
    if (known.has(identity)) {
      read.repeated.push({ line, name })
      return
    }
    known.add(identity)
    read.reduced.push(...reduced)
    read.lines.push(shown)
    read.entries.push({
      name,
      domains,
      note: note || null,
      key: key || null,
      weight: isCritical ? 'critical' : 'normal',
    })
  }
}

/** Moves entries for which there is a reason to the refused lines. */
export function refuseEntries(read: ReadEntries, reasonOf: (at: number) => string | undefined): ReadEntries {
  const reasons = read.entries.map((_, at) => reasonOf(at))
  const isLeft = (_: unknown, at: number) => reasons[at] === undefined
  const refused = read.lines.flatMap((shown, at) => {
    const reason = reasons[at]
    return reason === undefined ? [] : [{ ...shown, reason }]
  })
  return {
    ...read,
    entries: read.entries.filter(isLeft),
    lines: read.lines.filter(isLeft),
    refused: [...read.refused, ...refused].sort((one, other) => one.line - other.line),
  }
}
