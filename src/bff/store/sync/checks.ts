import * as z from 'zod/mini'
import { parseJson } from './parse-json.ts'

const timeSchema = z.iso.datetime()

/** Records from a time on were compared with all that the vendor's list had of them; `at` is when that began. */
const checkSchema = z.object({ from: timeSchema, at: timeSchema })
export type Check = z.infer<typeof checkSchema>

/** Records how far stored records were compared with the vendor's list, and what the next comparison needs. */
const checksSchema = z.object({
  recent: z.nullable(checkSchema),
  all: z.nullable(checkSchema),
  /** The start of a whole reading that went further back than later comparisons. */
  whole: z._default(z.nullable(checkSchema), null),
  /** The last comparison of all records began then, even if the list could not be read whole; null before the first. */
  allTriedAt: z.nullable(timeSchema),
  /** Pages of the last comparisons; the longer one per 30 days. */
  pages: z.object({ recent: z.int(), all: z.int() }),
  /** The last comparison is repeated back to this time, because it did not find stored records. */
  repeatUntil: z.nullable(timeSchema),
})
export type Checks = z.infer<typeof checksSchema>

export const NO_CHECKS: Checks = {
  recent: null,
  all: null,
  whole: null,
  allTriedAt: null,
  pages: { recent: 1, all: 1 },
  repeatUntil: null,
}

export function parseChecks(text: string | null): Checks {
  return checksSchema.safeParse(parseJson(text)).data ?? NO_CHECKS
}

/** The last comparison that reaches back to a time; where none does, the one that reaches furthest. */
export function checkOf({ recent, all, whole }: Checks, from: string): Check | null {
  const made = [recent, all, whole]
    .filter((check) => check !== null)
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
  return made.find((check) => check.from <= from) ?? whole ?? all ?? recent
}
