import type { PeriodSearch } from '#app/features/periods/period-search.ts'
import type { ActorListQuery } from '#contract/bff/actor.ts'

type Tab = ActorListQuery['tab']
type Sort = ActorListQuery['sort']

/** The list's URL. What is absent is as usual: all actors, the most cases first. */
export type ActorSearch = PeriodSearch & {
  q?: string
  tab?: Exclude<Tab, 'all'>
  sort?: Exclude<Sort, 'mentions'>
  order?: 'reverse'
}

const TABS = ['rising', 'new', 'concerning'] as const
const SORTS = ['listed', 'change', 'latest', 'name'] as const
const Q_MAX_LENGTH = 200

/** By hand and not by a schema: it is in every page's first script. */
export function readActorSearch({
  q,
  tab,
  sort,
  order,
}: Record<string, unknown>): Omit<ActorSearch, keyof PeriodSearch> {
  const text = typeof q === 'string' ? q.trim().slice(0, Q_MAX_LENGTH).toWellFormed() : ''
  return {
    q: text || undefined,
    tab: TABS.find((one) => one === tab),
    sort: SORTS.find((one) => one === sort),
    order: order === 'reverse' ? order : undefined,
  }
}
