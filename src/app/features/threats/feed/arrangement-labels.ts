import type { Grouping, GroupOrder, Order, Sort } from '#contract/bff/arrangement.ts'

const LARGEST = 'Largest first'

export const SORT_LABELS: Readonly<Record<Sort, string>> = {
  published: 'Published',
  severity: 'Severity',
  actor: 'Actor',
  victim: 'Victim',
  country: 'Country',
  activity: 'Team activity',
}

export const GROUP_LABELS: Readonly<Record<Grouping, string>> = {
  day: 'Day',
  actor: 'Actor',
  victim: 'Victim',
  country: 'Country',
  category: 'Category',
  severity: 'Severity',
}

/** Labels for groups ordered by their value and by their size. */
export const GROUP_ORDER_LABELS: Readonly<Record<Grouping, Readonly<Record<GroupOrder, string>>>> = {
  day: { value: 'Newest first', size: LARGEST },
  actor: { value: 'A to Z', size: LARGEST },
  victim: { value: 'A to Z', size: LARGEST },
  country: { value: 'A to Z', size: LARGEST },
  category: { value: 'A to Z', size: LARGEST },
  severity: { value: 'Most severe first', size: LARGEST },
}

const BY_NAME = { asc: 'A to Z', desc: 'Z to A' } as const
export const ORDER_LABELS: Readonly<Record<Sort, Readonly<Record<Order, string>>>> = {
  published: { desc: 'Newest first', asc: 'Oldest first' },
  severity: { desc: 'Most severe first', asc: 'Least severe first' },
  actor: BY_NAME,
  victim: BY_NAME,
  country: BY_NAME,
  activity: { desc: 'Latest first', asc: 'Earliest first' },
}
