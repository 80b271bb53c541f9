import { createFileRoute } from '@tanstack/react-router'
import { readActorSearch } from '#app/features/actors/actor-search.ts'
import { ActorsView } from '#app/features/actors/actors-view.tsx'

export const Route = createFileRoute('/actors/')({
  validateSearch: readActorSearch,
  component: ActorsPage,
})

function ActorsPage() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ActorsView
      search={search}
      onSearch={(q) =>
        navigate({ search: (before) => ({ ...before, q }), replace: true, resetScroll: false })
      }
    />
  )
}
