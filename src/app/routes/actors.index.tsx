import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/actors/')({
  component: RouteComponent,
})

function RouteComponent() {
  return <div>Hello "/actors/"!</div>
}
