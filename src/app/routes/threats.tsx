import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { keysOf } from '#app/features/live/keys-of.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { FeedPlaceProvider } from '#app/features/threats/feed-place.tsx'
import { TriageProvider } from '#app/features/triage/triage-provider.tsx'

export const Route = createFileRoute('/threats')({ component: ThreatsLayout })

function ThreatsLayout() {
  const { data: session } = useQuery(sessionOptions())
  return (
    <FeedPlaceProvider>
      <TriageProvider user={session?.user} outdates={keysOf('triage')}>
        <Outlet />
      </TriageProvider>
    </FeedPlaceProvider>
  )
}
