import * as z from 'zod/mini'

/**
 * Why records of a time are not stored: the plan shows nothing older, it was not read yet, the vendor refuses further pages,
 * its list has no end, or an operator keeps no more.
 */
export const gapReasonSchema = z.enum(['planWindow', 'notRead', 'refused', 'cutOff', 'historyLimit'])
export type GapReason = z.infer<typeof gapReasonSchema>

/** A time without stored records, ISO 8601 UTC; `from` is null where nothing older is stored either. */
export const gapSchema = z.object({
  from: z.nullable(z.iso.datetime()),
  to: z.iso.datetime(),
  why: gapReasonSchema,
})
export type Gap = z.infer<typeof gapSchema>

/** How much of the time that a question asks for is stored. */
export const coverageSchema = z.object({
  /** `part` without a gap: all of it was read, and single records of it are known to be missing. */
  status: z.enum(['complete', 'part', 'none']),
  /** Bounds of what is stored of it, ISO 8601 UTC; null where nothing is. */
  from: z.nullable(z.iso.datetime()),
  to: z.nullable(z.iso.datetime()),
  /** Newest first. */
  gaps: z.array(gapSchema),
})
export type Coverage = z.infer<typeof coverageSchema>

/** Each ends a sentence that says which time is not stored. */
export const GAP_REASONS: Readonly<Record<GapReason, string>> = {
  planWindow: 'the plan of the vendor reaches no further back',
  notRead: 'not read yet',
  refused: 'the vendor refuses to list it',
  cutOff: 'the list of the vendor has no end',
  historyLimit: 'Lantern is set to keep no more',
}

/** Returns one sentence for a file about what is not stored, in days of UTC; null if everything is. */
export function describeGaps(gaps: Coverage['gaps']): string | null {
  if (gaps.length === 0) return null
  const times = gaps.map(({ from, to, why }) => {
    const days = from === null ? `before ${dayOf(to)}` : `${dayOf(from)} to ${dayOf(to)}`
    return `${days} (${GAP_REASONS[why]})`
  })
  return `Not stored: ${times.join(', ')}.`
}

function dayOf(time: string): string {
  return time.slice(0, 10)
}
