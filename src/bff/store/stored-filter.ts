import * as z from 'zod/mini'

/**
 * Converts a filter and its list layout to the words of versions before due times. An unknown word would keep those
 * versions from listing any view. They read an overdue case as an open case, and sort the newest first.
 */
const filterSchema = z.looseObject({ triage: z.optional(z.unknown()), isOverdue: z.optional(z.boolean()) })
const arrangementSchema = z.looseObject({ sort: z.optional(z.unknown()), isByDue: z.optional(z.boolean()) })

export function writeFilter(filter: { triage?: string | undefined } | undefined): string | null {
  if (!filter) return null
  return JSON.stringify(filter.triage === 'overdue' ? { ...filter, triage: 'open', isOverdue: true } : filter)
}

export function readFilter(text: string): unknown {
  const { isOverdue, ...filter } = filterSchema.parse(JSON.parse(text))
  return isOverdue ? { ...filter, triage: 'overdue' } : filter
}

export function writeArrangement(arrangement: { sort?: string | undefined } | undefined): string | null {
  if (!arrangement) return null
  const { sort, ...others } = arrangement
  return JSON.stringify(sort === 'due' ? { ...others, isByDue: true } : arrangement)
}

export function readArrangement(text: string): unknown {
  const { isByDue, ...arrangement } = arrangementSchema.parse(JSON.parse(text))
  return isByDue ? { ...arrangement, sort: 'due' } : arrangement
}
