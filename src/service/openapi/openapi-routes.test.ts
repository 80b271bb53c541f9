import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { UPSTREAM_ROUTES, type UpstreamRoute } from '#contract/upstream/upstream-routes.ts'
import { insertThreats } from '#service/threats/insert-threats.ts'
import { createTestService, readError } from '#test/support/service/create-test-service.ts'
import { makeThreat } from '#test/support/service/make-threat.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { buildOpenApi } from './openapi-routes.ts'

/** Section 4 of the API reference, written out. */
// `include` alone is beyond the reference.
const REFERENCE: Record<string, string[]> = {
  'get /api/feed': ['limit', 'offset', 'category', 'country', 'date_from', 'date_to', 'search', 'include'],
  'get /api/feed/{id}': ['id'],
  'get /api/alerts': [],
  'post /api/alerts': [],
  'get /api/metrics': [],
  'get /api/v1/threats': ['limit', 'cursor', 'category', 'country', 'since', 'include'],
  'get /api/v1/threats/{id}': ['id'],
  'get /api/v1/threat-actors': ['limit'],
  'get /api/v1/countries/{code-or-name}': ['code-or-name'],
}

/** Our own service has these beyond the reference. */
const EXTENSIONS: Record<string, string[]> = {
  'get /api/data-version': [],
  'get /api/alert-profiles': [],
  'put /api/alerts/{id}': ['id'],
  'delete /api/alerts/{id}': ['id'],
}

const operationSchema = z.object({
  operationId: z.string(),
  'x-lantern-extension': z.optional(z.boolean()),
  parameters: z.array(z.object({ name: z.string(), schema: z.record(z.string(), z.unknown()) })),
  responses: z.record(z.string(), z.object({ headers: z.record(z.string(), z.unknown()) })),
})
const documentSchema = z.object({
  openapi: z.literal('3.1.1'),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
})

test(
  'describes every route of the reference with all its parameters, to anyone',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database)
    const answer = await ask('/api/openapi.json', { token: null })
    const { paths, servers } = documentSchema.parse(await answer.json())
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        isExtension: operation['x-lantern-extension'] ?? false,
        route: [`${method} ${path}`, operation.parameters.map(({ name }) => name)] as const,
      })),
    )
    const routesOf = (isExtension: boolean) =>
      Object.fromEntries(described.filter((one) => one.isExtension === isExtension).map(({ route }) => route))
    expect(routesOf(false)).toEqual(REFERENCE)
    expect(routesOf(true)).toEqual(EXTENSIONS)
    const announced = answer.headers.get('x-lantern-extensions')?.split(', ') ?? []
    expect(announced.filter((name) => name !== 'listContent')).toHaveLength(Object.keys(EXTENSIONS).length)
    expect(announced).toContain('listContent')
    expect(servers).toEqual([{ url: 'https://service.example' }])
  }),
)

test(
  'takes no parameters, as other routes that have none',
  withDatabase('service', async (database) => {
    const { ask } = await createTestService(database)
    const answer = await ask('/api/openapi.json?x=1', { token: null })
    expect(answer.status).toBe(400)
    expect(await readError(answer)).toBe('Unknown parameter "x"; permitted: none')
  }),
)

test('documents the defaults and limits that the service uses', () => {
  const { paths } = documentSchema.parse(buildOpenApi('https://service.example'))
  const limit = (path: string) => paths[path]?.get?.parameters.find(({ name }) => name === 'limit')?.schema
  expect(limit('/api/feed')).toMatchObject({ type: 'integer', default: 20, minimum: 1, maximum: 100 })
  expect(limit('/api/v1/threats')).toMatchObject({ type: 'integer', default: 50, minimum: 1, maximum: 100 })
})

test('gives every answer its rate headers and every route its failures', () => {
  const { paths } = documentSchema.parse(buildOpenApi('https://service.example'))
  for (const [path, operations] of Object.entries(paths)) {
    for (const { responses } of Object.values(operations)) {
      expect(Object.keys(responses), path).toEqual(
        expect.arrayContaining(['400', '401', '429', '500', '503']),
      )
      for (const { headers } of Object.values(responses)) {
        expect(Object.keys(headers)).toContain('X-RateLimit-Remaining')
        expect(Object.keys(headers)).toContain('x-lantern-service')
      }
    }
  }
  expect(Object.keys(paths['/api/v1/threats/{id}']?.get?.responses ?? {})).toContain('404')
})

test('resolves all its references', () => {
  const document = buildOpenApi('https://service.example')
  const references = Array.from(
    JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g),
    ([, path = '']) => path,
  )
  expect(references.length).toBeGreaterThan(0)
  for (const reference of new Set(references)) {
    const target = reference
      .split('/')
      .reduce<unknown>(
        (node, step) => (typeof node === 'object' && node !== null ? Reflect.get(node, step) : undefined),
        document,
      )
    expect(target, reference).toBeDefined()
  }
})

test(
  'answers every route in the shape that the contract gives it',
  withDatabase('service', async (database) => {
    await insertThreats(database, [
      makeThreat({ countries: ['DE'], threatActors: ['glassheron'] }),
      makeThreat({ publishedAt: '2026-06-09T00:00:00.000Z' }),
    ])
    const { ask } = await createTestService(database, { earlierPlan: 'enterprise', v1Plan: 'defend' })
    const { threats } = UPSTREAM_ROUTES.listFeed.answer.parse(await (await ask('/api/feed')).json())

    const profile = { name: 'Brands', keywords: ['acme'], notifications: { email: ['soc@acme.example'] } }
    const { id: profileId } = await (await ask('/api/alerts', { body: profile })).json()
    const bodies: Partial<Record<UpstreamRoute['path'], object>> = {
      '/api/alerts': profile,
      '/api/alerts/{id}': { state: 'paused' },
    }
    const deletedLast = ({ method }: UpstreamRoute) => Number(method === 'DELETE')
    const routes: UpstreamRoute[] = Object.values(UPSTREAM_ROUTES)
    for (const { method, path, status, answer } of routes.sort((a, b) => deletedLast(a) - deletedLast(b))) {
      const id = path.startsWith('/api/alerts') ? profileId : threats[0]?.id
      const url = path.replace('{id}', id).replace('{code-or-name}', 'Germany')
      const body = method === 'POST' || method === 'PUT' ? (bodies[path] ?? {}) : undefined
      const response = await ask(url, { method, body })
      expect(response.status, url).toBe(status)
      expect(z.safeParse(answer, await response.json()).error, url).toBeUndefined()
    }
  }),
)
