import { createFileRoute } from '@tanstack/react-router'
import { readActorSearch } from '#app/features/actors/actor-search.ts'
import { ActorsView } from '#app/features/actors/actors-view.tsx'
import { carryRows, readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'

export const Route = createFileRoute('/actors/')({
  validateSearch: (search) => ({ ...readActorSearch(search), ...readPeriodSearch(search) }),
  search: { middlewares: [carryRows] },
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
      search={{ ...search, period: usePeriod().name }}
      onSearch={(q) =>
        navigate({ search: (before) => ({ ...before, q }), replace: true, resetScroll: false })
      }
    />
  )
}
