import fc from 'fast-check'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { alertListSchema } from '#contract/bff/alert.ts'
import { UPSTREAM_ROUTES, type UpstreamRoute } from '#contract/upstream/upstream-routes.ts'
import { composeTable } from './docs/compose-table.ts'
import { isRecord, oddTexts, valuesOf } from './support/odd-values.ts'
import { propertyRuns } from './support/property-runs.ts'
import { createTestService } from './support/service/create-test-service.ts'
import { startOwnService } from './support/start-own-service.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

/** For each route. */
const RUNS = 15
const TIMEOUT_MS = 180_000

type Asked = { method: string; target: string; body: unknown }
type Route = {
  method: string
  path: string
  params?: z.ZodMiniType
  query?: z.ZodMiniType
  body?: z.ZodMiniType
}

/** A cursor of the ledger with a year that no database holds. */
const YEAR_0 = toCursor([false, '0000-01-01T00:00:00.000000Z', '00000000-0000-4000-8000-000000000000'])
/** Requests that were answered with 500 once. */
const KNOWN: readonly Asked[] = [
  {
    method: 'GET',
    target: `/bff/deliveries?cursor=${YEAR_0}`,
    body: undefined,
  },
  { method: 'POST', target: '/bff/inbox/read', body: { upTo: '0000-01-01T00:00:00Z' } },
  ...['%00', '%2500', '..%2F', '..%2F..%2Fmetrics', 'a%0D%0Aset-cookie:b'].flatMap((id) => [
    { method: 'PUT', target: `/bff/alerts/${id}`, body: { name: 'Other' } },
    { method: 'DELETE', target: `/bff/alerts/${id}`, body: undefined },
    { method: 'POST', target: `/bff/alerts/${id}/test`, body: undefined },
  ]),
]

/** They end the session or the key that the others need: asked last. */
const LAST = /sign-out|\/keys\//

test('no valid or odd value causes a 500 of the dashboard', {
  timeout: TIMEOUT_MS,
}, async () => {
  const service = await startOwnService({ earlierPlan: 'enterprise', v1Plan: 'defend' })
  const { ask } = await startSignedIn(await takeDatabase('bff'), {
    upstream: { url: service.url, apiKey: service.apiKey, kind: 'embedded' },
  })
  const alerts = async () => alertListSchema.parse(await (await ask('/bff/alerts?timeZone=UTC')).json())
  // The vendor offers its routes for alerts: without them no id is sent on.
  expect((await alerts()).extension).not.toBeNull()
  for (const known of KNOWN) expect(await answerTo(ask, known), known.target).not.toBe(500)
  const isLast = ({ path }: Route) => Number(LAST.test(path))
  let accepted = 0
  for (const route of (await composeTable()).toSorted((a, b) => isLast(a) - isLast(b))) {
    await findNo500(route, async (asked) => {
      const status = await answerTo(ask, asked)
      if (status < 300) accepted += 1
      return status
    })
  }
  // Values that are all refused by a schema would try no handler.
  expect(accepted).toBeGreaterThan(300)
})

test('no valid or odd value causes a 500 of the service', {
  timeout: TIMEOUT_MS,
}, async () => {
  const service = await createTestService(await takeDatabase('service'), {
    v1Plan: 'defend',
    earlierPlan: 'enterprise',
  })
  let minutes = 0
  for (const route of Object.values<UpstreamRoute>(UPSTREAM_ROUTES)) {
    const path = route.path.replace(/\{([\w-]+)\}/g, ':$1')
    await findNo500({ ...route, path }, async (asked) => {
      // Limits are of a minute.
      service.setNow(new Date(Date.parse('2026-06-15T12:00:00Z') + minutes++ * 60_000).toISOString())
      return answerTo(service.ask, asked)
    })
  }
})

type Ask = (path: string, request: { method: string; body?: unknown }) => Promise<Response>

async function answerTo(ask: Ask, { method, target, body }: Asked): Promise<number> {
  const answer = await ask(target, { method, ...(body !== undefined && { body }) })
  await answer.body?.cancel()
  return answer.status
}

function toCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Asks a route with made values, and names the request that it answers with 500. */
async function findNo500(route: Route, ask: (asked: Asked) => Promise<number>): Promise<void> {
  const request = fc.record({
    params: route.params ? valuesOf(route.params) : fc.constant({}),
    query: route.query ? valuesOf(route.query) : fc.constant({}),
    body: route.body ? valuesOf(route.body) : fc.constant(undefined),
    names: fc.array(oddTexts, { minLength: 3, maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(request, async ({ params, query, body, names }) => {
      const given = isRecord(params) ? params : {}
      const spare = [...names]
      const path = route.path.replace(/:([\w-]+)/g, (_, name: string) => encode(given[name] ?? spare.pop()))
      const target = `${path}${toSearch(query)}`
      const status = await ask({ method: route.method, target, body })
      expect(status, `${route.method} ${target} ${JSON.stringify(body)}`).not.toBe(500)
    }),
    propertyRuns(RUNS),
  )
}

function toSearch(query: unknown): string {
  const pairs = Object.entries(isRecord(query) ? query : {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${encode(name)}=${encode(one)}`),
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Half a character goes as the bytes that some clients send for it. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80'
}
