import { createFileRoute } from '@tanstack/react-router'
import { ListView } from '#app/features/lists/list-view.tsx'
import { matchAddressOf, readMatchAddress } from '#app/features/lists/match-address.ts'

export const Route = createFileRoute('/lists/$id/')({ validateSearch: readMatchAddress, component: ListPage })

function ListPage() {
  const { id } = Route.useParams()
  const { page = 1, show = 'matches' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ListView
      key={id}
      id={id}
      search={{ page, show }}
      onSearch={(search) => navigate({ search: matchAddressOf(search), resetScroll: false })}
    />
  )
}
