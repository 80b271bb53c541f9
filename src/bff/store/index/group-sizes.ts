import { placeOf, type RankOrder } from './arrange-rows.ts'
import { NO_RANK } from './rank-column.ts'
import type { Selection } from './select-rows.ts'

/** Before the first place: it stands between two, as the rank of what no row has any more. */
const BEFORE_ALL = -0.5

/** The groups of a selection, the largest first; of equal ones in their own order. Rows without a value stay last. */
export function largestFirst(group: RankOrder, { matched }: Selection): RankOrder {
  const { ranks, count, keyOf, rankOf, labelOf } = group.column
  const sizes = new Int32Array(count)
  for (const row of matched) {
    const rank = ranks[row] ?? NO_RANK
    if (rank !== NO_RANK) sizes[rank] = (sizes[rank] ?? 0) + 1
  }
  const sizeOf = (rank: number) => sizes[rank] ?? 0
  const bySize = Int32Array.from({ length: count }, (_, rank) => rank).sort(
    (a, b) => sizeOf(b) - sizeOf(a) || placeOf(group, a) - placeOf(group, b),
  )
  const places = new Int32Array(count)
  for (const [place, rank] of bySize.entries()) places[rank] = place
  const own = new Int32Array(ranks.length).fill(NO_RANK)
  for (const row of matched) {
    const rank = ranks[row] ?? NO_RANK
    if (rank !== NO_RANK) own[row] = places[rank] ?? NO_RANK
  }
  return {
    order: 'asc',
    column: {
      ranks: own,
      count,
      keyOf: (place) => keyOf(bySize[place] ?? NO_RANK),
      rankOf(key) {
        const rank = rankOf(key)
        if (rank === NO_RANK) return NO_RANK
        // The group of a cursor may have lost its last row. Nobody knows how large it was: the list begins anew.
        return sizeOf(rank) > 0 ? (places[rank] ?? BEFORE_ALL) : BEFORE_ALL
      },
      labelOf: (place) => labelOf(bySize[place] ?? NO_RANK),
    },
  }
}
