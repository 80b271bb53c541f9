import * as z from 'zod/mini'

/** Sort orders of a list of threats. `activity` is the time of the team's last action, `due` when the case is due. */
export const SORTS = ['published', 'severity', 'actor', 'victim', 'country', 'activity', 'due'] as const
export const sortSchema = z.enum(SORTS)
export type Sort = z.infer<typeof sortSchema>
/** Sorts by what the team does, which changes without the records. */
export type TeamSort = 'activity' | 'due'

export const orderSchema = z.enum(['asc', 'desc'])
export type Order = z.infer<typeof orderSchema>

/** Groupings of a list. A threat with several values is listed once, under its first. */
export const GROUPINGS = ['day', 'actor', 'victim', 'country', 'category', 'severity'] as const
export const groupingSchema = z.enum(GROUPINGS)
export type Grouping = z.infer<typeof groupingSchema>

/** `value`: the newest day, the gravest severity, names from A. `size`: the largest group first, then by value. */
export const GROUP_ORDERS = ['value', 'size'] as const
export const groupOrderSchema = z.enum(GROUP_ORDERS)
export type GroupOrder = z.infer<typeof groupOrderSchema>

const ASCENDING: readonly Sort[] = ['actor', 'victim', 'country', 'due']

/** Default direction of a sort: newest or most severe first, names from A, what is due first. */
export function orderOf({ sort = 'published', order }: ListOrder): Order {
  return order ?? (ASCENDING.includes(sort) ? 'asc' : 'desc')
}

/**
 * How a list is ordered: its groups first, then the threats of each. Without any of it: newest first. Threats without a
 * value stand last, whichever way it is sorted.
 */
export const listOrderSchema = z.object({
  sort: z.optional(sortSchema),
  order: z.optional(orderSchema),
  group: z.optional(groupingSchema),
  /** By their value unless given. */
  groupOrder: z.optional(groupOrderSchema),
})
export type ListOrder = z.infer<typeof listOrderSchema>

/** The default list layout, without groups: only such lists can be requested from the vendor. */
export function isNewestFirst(list: ListOrder): boolean {
  const { sort = 'published', group } = list
  return group === undefined && sort === 'published' && orderOf(list) === 'desc'
}

/** Columns besides the title, which stands first, or behind the severity where that is put first. */
export const COLUMNS = [
  'severity',
  'actor',
  'victim',
  'country',
  'category',
  'industry',
  'published',
] as const
export type Column = (typeof COLUMNS)[number]

/** Earlier versions wrote the width of a column behind its name, as in `actor.12`: links and saved views still have it. */
export const columnSchema = z.pipe(
  z.string().check(z.overwrite((text) => text.replace(/\.\d{1,2}$/, ''))),
  z.enum(COLUMNS),
)

export const DENSITIES = ['comfortable', 'compact'] as const

/** Rows of a list: one for each case, by its first claim in the order of the list, or one for each claim. */
export const ROW_KINDS = ['cases', 'claims'] as const
export const rowKindSchema = z.enum(ROW_KINDS)
export type RowKind = z.infer<typeof rowKindSchema>

/** How a reader has a list before them. It stands in the feed's address and is kept with a view. */
export const arrangementSchema = z.extend(listOrderSchema, {
  /** In their order; absent: all that there is room for. */
  columns: z.optional(z.array(columnSchema).check(z.maxLength(COLUMNS.length))),
  density: z.optional(z.enum(DENSITIES)),
  /** A row for each case unless given. */
  rows: z.optional(z.literal('claims')),
})
export type Arrangement = z.infer<typeof arrangementSchema>
