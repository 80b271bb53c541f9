import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { readBuilderSearch } from '#app/features/alerts/alert-search.ts'
import { NewAlertView } from '#app/features/alerts/new-alert-view.tsx'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'

// No loader: it would carry the contract of alerts into the script of every first visit.
export const Route = createFileRoute('/alerts/new')({
  validateSearch: readBuilderSearch,
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
      lookCost={<CallCost calls="1" />}
      onLeave={(created) =>
        navigate({ to: '/alerts', search: { created: created?.profile.id, outcome: created?.outcome } })
      }
      onBack={(profile) => navigate({ to: '/alerts', search: { profile } })}
    />
  )
}
