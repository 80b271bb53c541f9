import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/countries/')({ component: CountriesPage })

function CountriesPage() {
  return <h1 className="font-semibold text-xl">Countries</h1>
}
