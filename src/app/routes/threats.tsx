import { createFileRoute, Outlet } from '@tanstack/react-router'
import { ListPositionProvider } from '#app/features/threats/feed/list-position.tsx'
import { TriageProvider } from '#app/features/triage/triage-provider.tsx'

export const Route = createFileRoute('/threats')({ component: ThreatsLayout })

function ThreatsLayout() {
  return (
    <ListPositionProvider>
      <TriageProvider>
        <Outlet />
      </TriageProvider>
    </ListPositionProvider>
  )
}
