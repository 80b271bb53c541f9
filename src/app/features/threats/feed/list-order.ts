import { type ListOrder, orderOf, type Sort } from '#contract/bff/arrangement.ts'

/**
 * Returns the sort order after a press on a column's head: sorted by it, or reversed if it already is. Defaults are
 * omitted.
 */
export function orderAfterPress(before: ListOrder, sort: Sort): Pick<ListOrder, 'sort' | 'order'> {
  const isTurned = (before.sort ?? 'published') === sort && orderOf(before) === orderOf({ sort })
  const turned = orderOf({ sort }) === 'asc' ? 'desc' : 'asc'
  return { sort: sort === 'published' ? undefined : sort, order: isTurned ? turned : undefined }
}
