const TEXT_MAX_LENGTH = 64 * 1024
const LIST_MAX_COUNT = 1_000
const NAME_MEMBERS = ['name', 'title', 'label', 'value']

// ISO 8601, and the date of HTTP and mail; nothing that a parser would have to guess at.
const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/i
const MAIL_TIME = /^[A-Z][a-z]{2}, (\d{1,2}) [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i
const EPOCH_SECONDS_FROM = 1e9
const EPOCH_MILLISECONDS_FROM = 1e11

/** A name of invisible characters would show nothing. */
const BLANK = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Reads a value of unknown shape; null where it is not of this kind. Every reader here is total. */
export type ReadValue<T> = (value: unknown) => T | null

/** Text that can be sent on: well-formed, without NUL, of a bounded length. Blank is null. */
export function readText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || BLANK.test(value)) return null
  // Cut first, so that a pair of surrogates that the cut parts is mended too.
  return beginningOf(value).replaceAll('\0', '').toWellFormed() || null
}

/** Between words, of which half would be found by search, unless the last has no end in sight. */
function beginningOf(text: string): string {
  if (text.length <= TEXT_MAX_LENGTH) return text
  return text.slice(0, TEXT_MAX_LENGTH).replace(/\s\S{0,100}$/u, '')
}

/** A text, or the name of an object that has one. */
export function readName(value: unknown): string | null {
  const members = membersOf(value)
  if (!members) return readText(value)
  return NAME_MEMBERS.map((member) => readText(members.get(member))).find((name) => name !== null) ?? null
}

/** Names, each once: from a list of texts or objects, from a map of counts, or from one text. Null when it has none. */
export function readNames(value: unknown): string[] | null {
  const names = listOf(value).map(readName)
  const distinct = new Set(names.filter((name) => name !== null))
  return distinct.size > 0 ? [...distinct] : null
}

/** Returns the items of a list. A single value is a list of itself, and a map of counts a list of its keys. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.slice(0, LIST_MAX_COUNT)
  const members = membersOf(value)
  const isCounts = members && members.size > 0 && [...members.values()].every(Number.isFinite)
  return isCounts ? [...members.keys()].slice(0, LIST_MAX_COUNT) : [value]
}

/** ISO 8601 UTC, from ISO 8601 (UTC unless it says otherwise), a mail date, epoch seconds or epoch milliseconds. */
export function readTime(value: unknown): string | null {
  const epoch = typeof value === 'string' && /^\d{10,14}$/.test(value) ? Number(value) : value
  const date =
    typeof epoch === 'number' ? fromEpoch(epoch) : typeof epoch === 'string' ? fromText(epoch) : undefined
  if (!date || Number.isNaN(date.getTime())) return null
  const iso = date.toISOString()
  return /^\d{4}-/.test(iso) ? iso : null
}

export function readCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null
}

/** A number that counts: not in digits as text, and not of the size of a time. */
export function readNumber(value: unknown): number | null {
  return typeof value === 'number' && value < EPOCH_SECONDS_FROM ? readCount(value) : null
}

/** Text that came as text. */
export function readLabel(value: unknown): string | null {
  return typeof value === 'string' ? readText(value) : null
}

/** Text that can only be a name: no number, no time, no address. */
export function readWord(value: unknown): string | null {
  const text = readLabel(value)
  return text === null || !/\D/.test(text) || ADDRESS.test(text) || readTime(text) !== null ? null : text
}

export function readFlag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** An object's own members: a Map, so that no name of theirs is special. Null for anything else. */
export function membersOf(value: unknown): Map<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : null
}

/** Returns the entries of an object, or of several one after the other; none of anything else. */
export function entriesOf(value: unknown): [string, unknown][] {
  return [...(membersOf(value) ?? [])]
}

function fromEpoch(epoch: number): Date | undefined {
  if (epoch < EPOCH_SECONDS_FROM) return undefined
  return new Date(epoch < EPOCH_MILLISECONDS_FROM ? epoch * 1000 : epoch)
}

function fromText(text: string): Date | undefined {
  const trimmed = text.trim()
  const [isMail, mailDay] = MAIL_TIME.exec(trimmed) ?? []
  if (isMail) return hasDay(new Date(trimmed), mailDay) ? new Date(trimmed) : undefined
  const [, day, time = '00:00', zone = 'Z'] = ISO_TIME.exec(trimmed) ?? []
  if (!day || !hasDay(new Date(day), day.slice(-2))) return undefined
  return new Date(`${day}T${time}${zone}`.toUpperCase())
}

/** The 31st of February would become the 3rd of March. */
function hasDay(date: Date, day: string | undefined): boolean {
  return date.getUTCDate() === Number(day)
}
