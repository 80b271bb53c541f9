import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { readBuilderSearch } from '#app/features/alerts/alert-search.ts'
import { NewAlertView } from '#app/features/alerts/builder/new-alert-view.tsx'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { filterOf, threatSearchSchema } from '#app/features/threats/address/threat-search.ts'

// Only where somebody writes a search.
const SearchField = lazy(async () => ({
  default: (await import('#app/features/threats/search/search-field.tsx')).SearchField,
}))

// No loader: it would carry the contract of alerts into the script of every first visit.
export const Route = createFileRoute('/alerts/new')({
  validateSearch: (given) => ({ ...filterOf(threatSearchSchema.parse(given)), ...readBuilderSearch(given) }),
  component: NewAlertPage,
})

function NewAlertPage() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: session } = useQuery(sessionOptions())
  if (!session) return null

  return (
    <NewAlertView
      search={search}
      userId={session.user.id}
      renderSearch={(shown) => (
        <Suspense fallback={<i className="h-8 max-sm:h-11" />}>
          <SearchField {...shown} list={undefined} />
        </Suspense>
      )}
      onLeave={(created) =>
        navigate({ to: '/alerts', search: { created: created?.id, outcome: created?.outcome } })
      }
      onBack={(profile) => navigate({ to: '/alerts', search: { profile } })}
    />
  )
}
