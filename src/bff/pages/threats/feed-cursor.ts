import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { ProblemError } from '#bff/http/problem-error.ts'
import { CURSOR_MAX_LENGTH, type ThreatListQuery } from '#contract/bff/threat-list.ts'

/** The last ids of the page before: where the next one goes on, however the list has moved meanwhile. */
const anchorsSchema = z.array(z.string())

const feedPositionSchema = z.discriminatedUnion('set', [
  z.object({
    set: z.literal('v1'),
    cursor: z.string(),
    anchors: anchorsSchema,
    /** How many were read, this cursor's not among them. */
    pages: z.int(),
    /** Answers in a row without a new record. */
    emptyAnswers: z.int(),
    /** Marks of the last cursors, this one's last: one that comes again leads in a circle. */
    used: z.array(z.string()),
  }),
  z.object({
    set: z.literal('earlier'),
    offset: z.int().check(z.nonnegative()),
    anchors: anchorsSchema,
    /** When the last record was published. */
    time: z.nullable(z.string()),
    /** Answers in a row that found nothing. */
    emptyAnswers: z.int(),
  }),
  /** Lantern's own window: the last row; in an order of the reader's its group and what it is sorted by as well. */
  z.object({
    set: z.literal('window'),
    at: z.iso.datetime(),
    id: z.string(),
    group: z.optional(z.string()),
    value: z.optional(z.string()),
  }),
])
export type FeedPosition = z.infer<typeof feedPositionSchema>
export type PositionOf<Set extends FeedPosition['set']> = Extract<FeedPosition, { set: Set }>

const MAC_LENGTH = 22
/** For what holds a vendor's own cursor. */
const VENDOR_CURSOR_MAX_LENGTH = 2_048

/** Cursors that only this server makes, and that fit only the query that they were given for. */
export class FeedCursors {
  readonly #secret: string
  readonly #secretBefore: string

  /** The cursors of a secret that was replaced are read as well. */
  constructor(secret: string, secretBefore = secret) {
    this.#secret = secret
    this.#secretBefore = secretBefore
  }

  /** Null where there is no room for the vendor's own cursor: the list ends there. */
  encode(position: FeedPosition, query: ThreatListQuery): string | null {
    const payload = Buffer.from(JSON.stringify(position)).toString('base64url')
    const cursor = sign(this.#secret, payload, query) + payload
    const maxLength = position.set === 'window' ? CURSOR_MAX_LENGTH : VENDOR_CURSOR_MAX_LENGTH
    return cursor.length <= maxLength ? cursor : null
  }

  decode(cursor: string, query: ThreatListQuery): FeedPosition {
    const payload = cursor.slice(MAC_LENGTH)
    const given = Buffer.from(cursor.slice(0, MAC_LENGTH))
    const isOurs = [this.#secret, this.#secretBefore].some((secret) => {
      const expected = Buffer.from(sign(secret, payload, query))
      return given.byteLength === expected.byteLength && timingSafeEqual(given, expected)
    })
    if (!isOurs) throw badCursor()
    const position = feedPositionSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
    // Made by an earlier release.
    if (!position.success) throw badCursor()
    return position.data
  }
}

function sign(secret: string, payload: string, { cursor: _, ...query }: ThreatListQuery): string {
  const used = Object.entries(query).filter(([, value]) => value !== undefined)
  const context = JSON.stringify(used.sort(([a], [b]) => (a < b ? -1 : 1)))
  const mac = createHmac('sha256', secret).update(`feed-cursor\n${context}\n${payload}`)
  return mac.digest('base64url').slice(0, MAC_LENGTH)
}

/** Also what the vendor's refusal of its own cursor becomes: the list must be read anew. */
export function badCursor(cause?: unknown): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    detail: 'This place in the list is gone. Read the list from its start.',
    fields: [{ name: 'cursor', reason: 'is not a cursor of this list' }],
    cause,
  })
}
