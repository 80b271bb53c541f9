import * as z from 'zod/mini'
import { coverageSchema } from './coverage.ts'

/** Counts records that the vendor has and the answer lacks, as far as known. */
export const missingSchema = z.object({
  /** Records of the vendor's list that could not be read: how many, where one of them stands, and why. */
  unreadable: z.nullable(z.object({ count: z.int(), example: z.string(), reason: z.string() })),
  /** How many records the vendor says that its list has, where fewer were read of all of it. */
  total: z.nullable(z.object({ said: z.int(), read: z.int() })),
  /** Further problems, in sentences for a person. */
  notes: z.array(z.string()),
})
export type Missing = z.infer<typeof missingSchema>

/** In sentences for a person; none where nothing is known to be missing. */
export function describeMissing(missing: Missing | undefined): string[] {
  if (!missing) return []
  const { unreadable, total, notes } = missing
  const count = (value: number) => value.toLocaleString('en')
  return [
    unreadable
      ? `${count(unreadable.count)} ${unreadable.count === 1 ? 'record' : 'records'} could not be read: ${unreadable.reason} (example: ${unreadable.example}).`
      : [],
    total ? `The vendor says ${count(total.said)} threats, and ${count(total.read)} were read.` : [],
    notes,
  ].flat()
}

/** Records from a time on were compared with the vendor's list, and when that began: an exact count is of this moment. */
export const checkedSchema = z.object({ from: z.iso.datetime(), at: z.iso.datetime() })

/** When an answer's data was fetched, whether it can be trusted to be current, and how much of its time is stored. */
export const freshnessSchema = z.object({
  fetchedAt: z.iso.datetime(),
  isStale: z.boolean(),
  /** A sentence for a person; null while the answer is fresh. */
  staleReason: z.nullable(z.string()),
  /** The last change of the change log that the answer takes into account; absent where the vendor's own answer is shown. */
  change: z.optional(z.int()),
  /** Absent where the vendor's own answer is shown. */
  coverage: z.optional(coverageSchema),
  /** Absent where nothing is stored, or nothing was compared yet. */
  checked: z.optional(checkedSchema),
  /** Absent where nothing is known to be missing: only then a count may be exact, and a time complete. */
  missing: z.optional(missingSchema),
})
export type Freshness = z.infer<typeof freshnessSchema>
