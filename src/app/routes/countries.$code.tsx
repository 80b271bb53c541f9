import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/countries/$code')({ component: CountryPage })

function CountryPage() {
  return <h1 className="font-semibold text-xl">Country</h1>
}
