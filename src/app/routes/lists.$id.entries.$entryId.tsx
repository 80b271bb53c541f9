import { createFileRoute } from '@tanstack/react-router'
import { EntryView } from '#app/features/lists/entry-view.tsx'
import { matchAddressOf, readMatchAddress } from '#app/features/lists/match-address.ts'

export const Route = createFileRoute('/lists/$id/entries/$entryId')({
  validateSearch: readMatchAddress,
  component: EntryPage,
})

function EntryPage() {
  const { id, entryId } = Route.useParams()
  const { page = 1, show = 'matches' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <EntryView
      key={entryId}
      listId={id}
      entryId={entryId}
      search={{ page, show }}
      onSearch={(search) => navigate({ search: matchAddressOf(search), resetScroll: false })}
    />
  )
}
