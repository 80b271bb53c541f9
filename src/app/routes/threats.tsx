import { createFileRoute, Outlet } from '@tanstack/react-router'
import { FeedPlaceProvider } from '#app/features/threats/feed-place.tsx'
import { TriageProvider } from '#app/features/triage/triage-provider.tsx'

export const Route = createFileRoute('/threats')({ component: ThreatsLayout })

function ThreatsLayout() {
  return (
    <FeedPlaceProvider>
      <TriageProvider>
        <Outlet />
      </TriageProvider>
    </FeedPlaceProvider>
  )
}
