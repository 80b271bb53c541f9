import * as z from 'zod/mini'
import { BACKTESTS } from '#bff/http/account-limits.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { profileReaderOf } from '#bff/notify/profile-queries.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import {
  type AlertCreated,
  alertDraftSchema,
  alertQuerySchema,
  backtestQuerySchema,
} from '#contract/bff/alert.ts'
import { threatParamsSchema, threatQuerySchema } from '#contract/bff/threat-list.ts'
import { vendorIdSchema } from '#contract/id.ts'
import type { AlertAnswers } from './alert-answers.ts'
import type { AlertContext } from './alert-context.ts'
import { createAudited } from './create-audited.ts'

/** The vendor's, whatever characters they have: they only name a profile of its list. */
const profileParamsSchema = z.object({ id: vendorIdSchema })

type AlertRouteDependencies = { answers: AlertAnswers; context: AlertContext }

export function alertRoutes({ answers, context }: AlertRouteDependencies): BffRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/bff/alerts',
      access: 'viewer',
      query: alertQuerySchema,
      cache: 'none',
      async answer({ query, request, session }) {
        return { json: await orProblem(() => answers.list(query.timeZone, toReadRequest(request, session))) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/alerts',
      access: 'analyst',
      query: alertQuerySchema,
      body: alertDraftSchema,
      cache: 'none',
      async answer({ query, body, request, session }) {
        const { profile, outcome } = await createAudited(context, body, { request, session })
        const counted = await answers.countMatches(profile, query.timeZone)
        return { status: 201, json: { profile: counted, outcome } satisfies AlertCreated }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/bff/alert-profiles/backtest',
      access: 'viewer',
      effect: 'none',
      body: backtestQuerySchema,
      limit: BACKTESTS,
      cache: 'none',
      async answer({ body, request, session }) {
        // Nobody requested the list of profiles: it must not cost a call that a person may need.
        const readRequest = toReadRequest({ ...request, isBackground: true }, session)
        return { json: await orProblem(() => answers.backtest(body, profileReaderOf(session), readRequest)) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/alerts/:id/matches',
      access: 'viewer',
      params: profileParamsSchema,
      query: alertQuerySchema,
      cache: 'none',
      async answer({ params, query, request, session }) {
        const readRequest = toReadRequest(request, session)
        return { json: await orProblem(() => answers.matches(params.id, query.timeZone, readRequest)) }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/bff/threats/:id/profiles',
      access: 'viewer',
      params: threatParamsSchema,
      query: threatQuerySchema,
      cache: 'none',
      async answer({ params, query, request, session }) {
        const readRequest = toReadRequest(request, session)
        return {
          json: await orProblem(() => answers.explain(params.id, query.set ?? null, session, readRequest)),
        }
      },
    }),
  ]
}
