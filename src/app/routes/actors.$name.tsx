import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/actors/$name')({ component: ActorPage })

function ActorPage() {
  return <h1 className="font-semibold text-xl">Actor</h1>
}
