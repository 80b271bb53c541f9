import { createFileRoute } from '@tanstack/react-router'
import { readActorSearch } from '#app/features/actors/actor-search.ts'
import { ActorsView } from '#app/features/actors/actors-view.tsx'

export const Route = createFileRoute('/actors/')({
  validateSearch: readActorSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps, preload }) => {
    import('#app/features/actors/load-actors.ts').then(({ loadActorList }) =>
      loadActorList(queryClient, deps, preload),
    )
  },
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
