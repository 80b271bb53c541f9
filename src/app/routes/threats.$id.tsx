import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { routeSetSchema } from '#contract/route-set.ts'

export const Route = createFileRoute('/threats/$id')({
  validateSearch: z.object({ set: z.catch(z.optional(routeSetSchema), undefined) }),
  component: ThreatPage,
})

function ThreatPage() {
  return <h1>Threat</h1>
}
