import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/alerts/new')({ component: NewAlertPage })

function NewAlertPage() {
  return <h1 className="font-semibold text-xl">New alert profile</h1>
}
