import * as z from 'zod/mini'
import { parseJson } from './parse-json.ts'

const timeSchema = z.iso.datetime()

/** Records from a time on were compared with all that the vendor's list had of them; `at` is when that began. */
const checkSchema = z.object({ from: timeSchema, at: timeSchema })
export type Check = z.infer<typeof checkSchema>

/** How far stored records were compared with the vendor's list, and what the next comparison is planned by. */
const checksSchema = z.object({
  recent: z.nullable(checkSchema),
  all: z.nullable(checkSchema),
  /** Where a reading of the whole list reached further back than the comparisons after it. */
  whole: z._default(z.nullable(checkSchema), null),
  /** When the last comparison of all records began, whether or not the list could be read whole; null before the first. */
  allTriedAt: z.nullable(timeSchema),
  /** How many pages the last comparisons took; the longer one for each 30 days. */
  pages: z.object({ recent: z.int(), all: z.int() }),
  /** How far back the last comparison is repeated at once, since it did not find records that are stored. */
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
