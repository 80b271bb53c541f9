import { createFileRoute } from '@tanstack/react-router'
import { ActorView } from '#app/features/actors/actor-view.tsx'
import { readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { carryText, readCarriedText } from '#contract/bff/path-segment.ts'
import { SubjectPage } from './-subject-page.tsx'

export const Route = createFileRoute('/actors/$name')({
  params: {
    parse: ({ name }) => ({ name: readCarriedText(name) }),
    stringify: ({ name }) => ({ name: carryText(name.toWellFormed()) }),
  },
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { name }, deps: { period }, preload }) => {
    import('#app/features/actors/load-actors.ts').then(({ loadActor }) =>
      loadActor(queryClient, { name, period }, preload),
    )
  },
  component: ActorPage,
})

function ActorPage() {
  const { name } = Route.useParams()
  const navigate = Route.useNavigate()
  const period = usePeriod(Route.useSearch())
  return (
    <SubjectPage
      list={{ to: '/actors', title: 'Actors' }}
      period={period}
      onChoose={(chosen) => navigate({ search: { period: chosen }, resetScroll: false })}
      describe={(known) => ({ title: known, filter: { actor: [known] }, fileName: 'actor-by-day' })}
    >
      {(parts) => <ActorView key={name} name={name} {...parts} />}
    </SubjectPage>
  )
}
