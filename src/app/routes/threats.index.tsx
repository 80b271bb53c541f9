import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/threats/')({
  component: RouteComponent,
})

function RouteComponent() {
  return <div>Hello "/threats/"!</div>
}
