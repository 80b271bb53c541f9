import { createFileRoute, Outlet } from '@tanstack/react-router'
import { FeedPlaceProvider } from '#app/features/threats/feed-place.tsx'

export const Route = createFileRoute('/threats')({ component: ThreatsLayout })

function ThreatsLayout() {
  return (
    <FeedPlaceProvider>
      <Outlet />
    </FeedPlaceProvider>
  )
}
