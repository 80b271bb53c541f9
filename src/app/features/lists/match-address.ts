/** The address of matches. Absent values mean the usual: the first page, without those that were rejected. */
export type MatchAddress = { page?: number | undefined; show?: 'rejected' | undefined }

const PAGES_MAX_COUNT = 20_000

export function readMatchAddress({ page, show }: Record<string, unknown>): MatchAddress {
  const isPage = typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= PAGES_MAX_COUNT
  return { page: isPage ? page : undefined, show: show === 'rejected' ? show : undefined }
}

export function matchAddressOf(search: { page: number; show: 'matches' | 'rejected' }): MatchAddress {
  return {
    page: search.page > 1 ? search.page : undefined,
    show: search.show === 'rejected' ? search.show : undefined,
  }
}
