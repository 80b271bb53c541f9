import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/actors/')({ component: ActorsPage })

function ActorsPage() {
  return <h1 className="font-semibold text-xl">Actors</h1>
}
