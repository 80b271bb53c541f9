import { type MatchChoice, matchChoiceSchema } from '#contract/bff/list.ts'

export type MatchSearch = { page: number; show: MatchChoice }

/** The address of matches. Absent values mean the usual: the first page, without those that were rejected. */
export type MatchAddress = { page?: number | undefined; show?: MatchChoice | undefined }

const PAGES_MAX_COUNT = 20_000

export function readMatchAddress({ page, show }: Record<string, unknown>): MatchAddress {
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= PAGES_MAX_COUNT
  return { page: isPage ? page : undefined, show: matchChoiceSchema.safeParse(show).data }
}

export function matchAddressOf({ page, show }: MatchSearch): MatchAddress {
  return { page: page > 1 ? page : undefined, show: show === 'matches' ? undefined : show }
}
