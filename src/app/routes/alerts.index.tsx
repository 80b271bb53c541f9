import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/alerts/')({ component: AlertsPage })

function AlertsPage() {
  return <h1 className="font-semibold text-xl">Alerts</h1>
}
