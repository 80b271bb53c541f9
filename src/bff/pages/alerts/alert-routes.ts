import * as z from 'zod/mini'
import { BACKTESTS, TESTS } from '#bff/http/account-limits.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { profileReaderOf } from '#bff/notify/profile-queries.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import {
  type AlertCreated,
  alertChangeSchema,
  alertDestinationNameSchema,
  alertDraftSchema,
  alertQuerySchema,
  alertTestSchema,
  backtestQuerySchema,
} from '#contract/bff/alert.ts'
import { threatParamsSchema, threatQuerySchema } from '#contract/bff/threat-list.ts'
import { vendorIdSchema } from '#contract/id.ts'
import { backtest, countMatches, explainThreat, listAlerts, listMatches } from './alert-answers.ts'
import type { AlertContext } from './alert-context.ts'
import { createAudited } from './create-alert.ts'
import { changeAlert, deleteAlert, testAlert, testDestination } from './profile-changes.ts'

/** The vendor's, whatever characters they have: they only name a profile of its list. */
const ID = z.object({ id: vendorIdSchema })

/** Alert profiles of the vendor's account. Only our own service lets Lantern change them. */
export function alertRoutes(context: AlertContext): BffRoute[] {
  return [
    defineRoute('GET /bff/alerts', {
      query: alertQuerySchema,
      access: 'viewer',
      async answer({ query, request, session }) {
        const reading = toReadRequest(request, session)
        return { json: await orProblem(() => listAlerts(context, query.timeZone, reading)) }
      },
    }),
    defineRoute('POST /bff/alerts', {
      query: alertQuerySchema,
      body: alertDraftSchema,
      access: 'analyst',
      async answer({ query, body, ...author }) {
        const { profile, outcome } = await createAudited(context, body, author)
        const counted = await countMatches(context, profile, query.timeZone)
        return { status: 201, json: { profile: counted, outcome } satisfies AlertCreated }
      },
    }),
    defineRoute('POST /bff/alert-profiles/backtest', {
      effect: 'none',
      body: backtestQuerySchema,
      limit: BACKTESTS,
      access: 'viewer',
      async answer({ body, request, session }) {
        // Nobody requested the list of profiles: it must not cost a call that a person may need.
        const reading = toReadRequest({ ...request, isBackground: true }, session)
        return { json: await orProblem(() => backtest(context, body, profileReaderOf(session), reading)) }
      },
    }),
    defineRoute('GET /bff/alerts/:id/matches', {
      params: ID,
      query: alertQuerySchema,
      access: 'viewer',
      async answer({ params, query, request, session }) {
        const reading = toReadRequest(request, session)
        return { json: await orProblem(() => listMatches(context, params.id, query.timeZone, reading)) }
      },
    }),
    defineRoute('GET /bff/threats/:id/profiles', {
      params: threatParamsSchema,
      query: threatQuerySchema,
      access: 'viewer',
      async answer({ params: { id }, query: { set = null }, request, session }) {
        const reading = toReadRequest(request, session)
        return { json: await orProblem(() => explainThreat(context, { id, set }, session, reading)) }
      },
    }),
    defineRoute('PUT /bff/alerts/:id', {
      params: ID,
      body: alertChangeSchema,
      access: 'analyst',
      async answer({ params, body, ...author }) {
        await changeAlert(context, params.id, body, author)
        return { status: 204 }
      },
    }),
    defineRoute('DELETE /bff/alerts/:id', {
      params: ID,
      access: 'analyst',
      async answer({ params, ...author }) {
        await deleteAlert(context, params.id, author)
        return { status: 204 }
      },
    }),
    defineRoute('POST /bff/alerts/test', {
      body: alertTestSchema,
      limit: TESTS,
      access: 'analyst',
      async answer({ body, ...author }) {
        return { status: 202, json: await testDestination(context, body, author) }
      },
    }),
    defineRoute('POST /bff/alerts/:id/test', {
      params: ID,
      limit: TESTS,
      access: 'analyst',
      async answer({ params, ...author }) {
        return { status: 202, json: await testAlert(context, params.id, author) }
      },
    }),
    defineRoute('POST /bff/alerts/:id/destinations/:destination/test', {
      params: z.extend(ID, { destination: alertDestinationNameSchema }),
      limit: TESTS,
      access: 'analyst',
      async answer({ params: { id, destination }, ...author }) {
        return { status: 202, json: await testAlert(context, id, author, destination) }
      },
    }),
  ]
}
