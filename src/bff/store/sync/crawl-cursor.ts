import * as z from 'zod/mini'
import type { RouteSet } from '#contract/route-set.ts'
import { parseJson } from './parse-json.ts'
import { readingSchema } from './reading.ts'

/** Marks of all cursors and pages so far: one that comes again leads in a circle. */
const usedSchema = z._default(z.array(z.string()), [])

/** The list's lower bound that the cursor is of; absent where that is not known. */
const ofListSchema = { since: z.optional(z.nullable(z.string())), reading: z.optional(readingSchema) }

/** A crawl of the vendor's list goes on from a cursor. */
export const cursorSchema = z.discriminatedUnion('set', [
  z.object({
    set: z.literal('v1'),
    /** Null where the list is begun again from a later bound. */
    cursor: z.nullable(z.string()),
    used: usedSchema,
    ...ofListSchema,
  }),
  z.object({
    set: z.literal('earlier'),
    offset: z.int(),
    anchors: z.array(z.string()),
    time: z.nullable(z.string()),
    used: usedSchema,
    ...ofListSchema,
  }),
])
export type Cursor = z.infer<typeof cursorSchema>

/** Null for what is no cursor of a route set's list. */
export function parseCursor(text: string | null, set: RouteSet): Cursor | null {
  const { data } = cursorSchema.safeParse(parseJson(text))
  return data?.set === set ? data : null
}
