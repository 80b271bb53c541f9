import * as z from 'zod/mini'
import { TESTS } from '#bff/http/account-limits.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import {
  type AlertTestsSent,
  alertChangeSchema,
  alertDestinationNameSchema,
  alertTestSchema,
} from '#contract/bff/alert.ts'
import { vendorIdSchema } from '#contract/id.ts'
import type { ProfileChanges } from './profile-changes.ts'

const paramsSchema = z.object({ id: vendorIdSchema })
/** Only our own service lets Lantern change profiles. */
export function alertChangeRoutes(changes: ProfileChanges): BffRoute[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/bff/alerts/:id',
      access: 'analyst',
      params: paramsSchema,
      body: alertChangeSchema,
      cache: 'none',
      async answer({ params, body, request, session }) {
        await changes.change(params.id, body, { request, session })
        return { status: 204 }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/bff/alerts/:id',
      access: 'analyst',
      params: paramsSchema,
      cache: 'none',
      async answer({ params, request, session }) {
        await changes.remove(params.id, { request, session })
        return { status: 204 }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/alerts/test',
      access: 'analyst',
      body: alertTestSchema,
      limit: TESTS,
      cache: 'none',
      async answer({ body, request, session }) {
        return { status: 202, json: toSent(await changes.testDestination(body, { request, session })) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/alerts/:id/test',
      access: 'analyst',
      params: paramsSchema,
      limit: TESTS,
      cache: 'none',
      async answer({ params, request, session }) {
        return { status: 202, json: toSent(await changes.testProfile(params.id, { request, session })) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/alerts/:id/destinations/:destination/test',
      access: 'analyst',
      params: z.extend(paramsSchema, { destination: alertDestinationNameSchema }),
      limit: TESTS,
      cache: 'none',
      async answer({ params: { id, destination }, request, session }) {
        const sent = await changes.testProfile(id, { request, session }, destination)
        return { status: 202, json: toSent(sent) }
      },
    }),
  ]
}

function toSent(ids: readonly string[]): AlertTestsSent {
  return { sent: ids.map((id) => ({ id })) }
}
