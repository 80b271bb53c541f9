import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { ListCursor } from '#bff/store/index/arrange-rows.ts'
import { CURSOR_MAX_LENGTH, type ThreatListQuery } from '#contract/bff/threat-list.ts'

/** The last row of the page before; in an order of the reader's its group and what it is sorted by as well. */
const positionSchema = z.object({
  at: z.iso.datetime(),
  id: z.string(),
  group: z.optional(z.string()),
  value: z.optional(z.string()),
})

const MAC_LENGTH = 22

/** Cursors that only this server makes, and that fit only the query that they were given for. */
export class FeedCursors {
  readonly #secret: string
  readonly #secretBefore: string

  /** The cursors of a secret that was replaced are read as well. */
  constructor(secret: string, secretBefore = secret) {
    this.#secret = secret
    this.#secretBefore = secretBefore
  }

  /** Null where there is no room for it: the list ends there. */
  encode(position: ListCursor, query: ThreatListQuery): string | null {
    const payload = Buffer.from(JSON.stringify(position)).toString('base64url')
    const cursor = sign(this.#secret, payload, query) + payload
    return cursor.length <= CURSOR_MAX_LENGTH ? cursor : null
  }

  decode(cursor: string, query: ThreatListQuery): ListCursor {
    const payload = cursor.slice(MAC_LENGTH)
    const given = Buffer.from(cursor.slice(0, MAC_LENGTH))
    const isOurs = [this.#secret, this.#secretBefore].some((secret) => {
      const expected = Buffer.from(sign(secret, payload, query))
      return given.byteLength === expected.byteLength && timingSafeEqual(given, expected)
    })
    if (!isOurs) throw badCursor()
    const position = positionSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
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

function badCursor(): ProblemError {
  return new ProblemError({
    code: 'bad_request',
    detail: 'This place in the list is gone. Read the list from its start.',
    fields: [{ name: 'cursor', reason: 'is not a cursor of this list' }],
  })
}
