import { createFileRoute } from '@tanstack/react-router'
import type { MatchSearch } from '#app/features/lists/list-matches.tsx'
import { ListView } from '#app/features/lists/list-view.tsx'

/** The address of a list. What is absent is as usual: the first page of its matches. */
type ListSearch = { page?: number | undefined; show?: 'rejected' | undefined }

export const Route = createFileRoute('/lists/$id')({
  validateSearch: ({ page, show }: Record<string, unknown>): ListSearch => ({
    page: typeof page === 'number' && Number.isInteger(page) && page > 1 && page <= 20_000 ? page : undefined,
    show: show === 'rejected' ? show : undefined,
  }),
  component: ListPage,
})

function ListPage() {
  const { id } = Route.useParams()
  const { page = 1, show = 'matches' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const search = ({ page, show }: MatchSearch) => {
    navigate({
      search: { page: page > 1 ? page : undefined, show: show === 'rejected' ? show : undefined },
      resetScroll: false,
    })
  }
  return <ListView key={id} id={id} search={{ page, show }} onSearch={search} />
}
