import { type ListOrder, orderOf, type Sort } from '#contract/bff/arrangement.ts'

/** What a press on a column's head makes of an order: sorted by it, or turned if it is already. What is usual is left out. */
export function orderAfterPress(before: ListOrder, sort: Sort): Pick<ListOrder, 'sort' | 'order'> {
  const isTurned = (before.sort ?? 'published') === sort && orderOf(before) === orderOf({ sort })
  const turned = orderOf({ sort }) === 'asc' ? 'desc' : 'asc'
  return { sort: sort === 'published' ? undefined : sort, order: isTurned ? turned : undefined }
}
