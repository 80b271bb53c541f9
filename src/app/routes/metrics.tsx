import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/metrics')({ component: MetricsPage })

function MetricsPage() {
  return <h1 className="font-semibold text-xl">Metrics</h1>
}
