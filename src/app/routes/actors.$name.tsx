import { createFileRoute } from '@tanstack/react-router'
import { ActorView } from '#app/features/actors/actor-view.tsx'
import { carryRows, readPeriodSearch } from '#app/features/periods/period-search.ts'
import { carryText, readCarriedText } from '#contract/bff/path-segment.ts'

export const Route = createFileRoute('/actors/$name')({
  params: {
    parse: ({ name }) => ({ name: readCarriedText(name) }),
    stringify: ({ name }) => ({ name: carryText(name.toWellFormed()) }),
  },
  validateSearch: readPeriodSearch,
  search: { middlewares: [carryRows] },
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { name }, deps: { period, rows }, preload }) => {
    import('#app/features/actors/load-actors.ts').then(({ loadActor }) =>
      loadActor(queryClient, { name, period, rows }, preload),
    )
  },
  component: ActorPage,
})

function ActorPage() {
  const { name } = Route.useParams()
  return <ActorView key={name} name={name} />
}
