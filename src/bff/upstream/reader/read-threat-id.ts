import { createHash } from 'node:crypto'
import { threatIdSchema } from '#contract/bff/threat.ts'

const FULL_ID_MAX_LENGTH = 64 * 1024
/** An id of the vendor that looks like our hash is hashed too, so that it cannot stand for another's. */
const HASHED = /^sha256:[\da-f]{64}$/
/** The characters that RFC 3986 leaves alone, and no step of a path: these ids stand for themselves anywhere. */
const PLAIN = /^(?!\.{1,2}$)[A-Za-z0-9._:~-]{1,128}$/

type ThreatId = { id: string; fullId?: string | undefined }

/** Ids are text from end to end; a number too large for JSON's readers has lost digits already. */
export function readThreatId(value: unknown): ThreatId | null {
  const text = Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || text === '') return null
  if (!HASHED.test(text) && threatIdSchema.safeParse(text).success) return { id: text }
  return {
    id: hashOf(text),
    fullId: text.slice(0, FULL_ID_MAX_LENGTH).toWellFormed().replaceAll('\0', '\ufffd'),
  }
}

/** Returns true if anybody may request an id, without a list that names it. */
export function isPlainId(id: string): boolean {
  return PLAIN.test(id) && !HASHED.test(id)
}

/** The vendor's own id; null where the stored text is not all of it. */
export function vendorIdOf({ id, fullId }: ThreatId): string | null {
  if (fullId === undefined) return id
  return hashOf(fullId) === id ? fullId : null
}

/** The hash is of UTF-16, which keeps texts distinct that other encodings cannot write. */
function hashOf(text: string): string {
  return `sha256:${createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex')}`
}
