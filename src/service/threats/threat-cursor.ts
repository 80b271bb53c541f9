import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { Position } from './list-threats.ts'

const positionSchema = z.tuple([z.iso.datetime(), z.string()])

export type CursorContext = {
  secret: string
  keyId: string
  /** What the list was asked for: a cursor goes on with one list only. */
  filters: readonly (string | null)[]
}

/** An opaque cursor that only this service can make, for this key and these filters. */
export function encodeCursor({ publishedAt, id }: Position, context: CursorContext): string {
  const position = Buffer.from(JSON.stringify([publishedAt, id])).toString('base64url')
  return `${position}.${sign(position, context)}`
}

/** Where a cursor goes on; null for one that was not made for this key and these filters. */
export function decodeCursor(cursor: string, context: CursorContext): Position | null {
  const [, position = '', signature = ''] = /^([\w-]+)\.([\w-]+)$/.exec(cursor) ?? []
  const expected = Buffer.from(sign(position, context))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null

  const [publishedAt, id] = positionSchema.parse(JSON.parse(Buffer.from(position, 'base64url').toString()))
  return { publishedAt, id }
}

function sign(position: string, { secret, keyId, filters }: CursorContext): string {
  const message = JSON.stringify(['threat-cursor', keyId, filters, position])
  return createHmac('sha256', secret).update(message).digest('base64url')
}
