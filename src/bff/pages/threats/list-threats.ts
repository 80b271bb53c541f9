import type { SearchAuthor } from '#bff/store/read-search.ts'
import type { ThreatStore } from '#bff/store/threat-store.ts'
import type { Clock } from '#bff/time/clock.ts'
import { feedBounds } from '#bff/time/time-range.ts'
import type { Timed } from '#bff/upstream/cache/cached-answer.ts'
import type { ThreatList, ThreatListQuery } from '#contract/bff/threat-list.ts'
import type { FeedCursors } from './feed-cursor.ts'

export type ListThreats = (query: ThreatListQuery, author: SearchAuthor) => Promise<Timed<ThreatList>>

type ListThreatsDependencies = {
  cursors: FeedCursors
  store: Pick<ThreatStore, 'list'>
  clock: Pick<Clock, 'nowMs'>
}

const NAMES_TOO_LONG =
  'The names that this list is ordered by are too long to go on from here. Narrower dates or filters may show the rest.'

/** Answers a query for threats, a page at a time. */
export function createListThreats({ cursors, store, clock }: ListThreatsDependencies): ListThreats {
  return async (query, author) => {
    const after = query.cursor === undefined ? null : cursors.decode(query.cursor, query)
    const { answer, next, freshForMs } = await store.list(
      { ...query, author },
      feedBounds(query, clock.nowMs()),
      after,
    )
    const nextCursor = next && cursors.encode(next, query)
    const ending = next && !nextCursor ? { endsEarly: NAMES_TOO_LONG } : {}
    return { answer: { ...answer, nextCursor, ...ending }, freshForMs }
  }
}
