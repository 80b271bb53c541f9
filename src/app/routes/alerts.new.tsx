import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { readBuilderSearch } from '#app/features/alerts/alert-search.ts'
import { creationRefusal } from '#app/features/alerts/creation-refusal.tsx'
import { NewAlertView } from '#app/features/alerts/new-alert-view.tsx'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { sourceOptions } from '#app/features/source/source-options.ts'

// No loader: it would carry the contract of alerts into the script of every first visit.
export const Route = createFileRoute('/alerts/new')({
  validateSearch: readBuilderSearch,
  component: NewAlertPage,
})

function NewAlertPage() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: session } = useQuery(sessionOptions())
  const { data: source } = useQuery(sourceOptions())
  if (!session) return null

  return (
    <NewAlertView
      search={search}
      userId={session.user.id}
      categories={source?.categories ?? []}
      isOwnService={source?.isOwnService}
      refusal={creationRefusal(session.user.role, source)}
      lookCost={<CallCost calls="1" />}
      onLeave={(created) =>
        navigate({ to: '/alerts', search: { created: created?.profile.id, outcome: created?.outcome } })
      }
    />
  )
}
