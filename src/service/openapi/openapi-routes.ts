import { Hono } from 'hono'
import * as z from 'zod/mini'
import { errorSchema, rateLimitErrorSchema } from '#contract/upstream/error.ts'
import {
  DATA_HEADER,
  DATA_VERSION_HEADER,
  DATA_WINDOW_HEADER,
  EXTENSIONS_HEADER,
  OWN_SERVICE,
  RATE_HEADERS,
  SERVICE_HEADER,
  TRIAL_HEADER,
} from '#contract/upstream/headers.ts'
import { UPSTREAM_ROUTES, type UpstreamRoute } from '#contract/upstream/upstream-routes.ts'
import { refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies } from '#service/service-environment.ts'

/** The description of the API, for anyone: it contains no record. */
export function openApiRoutes({ publicUrl }: ServiceDependencies) {
  const document = buildOpenApi(publicUrl)
  return new Hono().get('/api/openapi.json', (c) => {
    refuseParameters(c.req.url)
    return c.json(document)
  })
}

const FAILURES = {
  400: 'A parameter, a field or the body is missing or invalid; the message names it and what is permitted.',
  401: 'The API key is missing, invalid or expired.',
  403: "The key's plan does not allow the call, or the record is outside its data window.",
  404: 'There is no such record, or there are no statistics for the country.',
  413: 'The body is too large.',
  415: 'The body is not JSON in UTF-8, or is compressed.',
  429: 'Too many requests: wait as long as Retry-After says.',
  500: 'The server failed.',
  503: 'The service is busy: try again shortly.',
} as const
type Failure = keyof typeof FAILURES

const COMMON_FAILURES = [400, 401, 429, 500, 503] as const satisfies readonly Failure[]

const HEADERS = {
  [RATE_HEADERS.limit]: { description: 'Request limit of the window', schema: { type: 'integer' } },
  [RATE_HEADERS.remaining]: { description: 'Requests left in the window', schema: { type: 'integer' } },
  [RATE_HEADERS.reset]: { description: 'End of the window, epoch seconds', schema: { type: 'integer' } },
  [TRIAL_HEADER]: {
    description: 'Trial keys only: expiry of the key',
    schema: { type: 'string', format: 'date-time' },
  },
  [DATA_HEADER]: {
    description: 'Present while the service holds generated records',
    schema: { const: 'demo' },
  },
  [DATA_VERSION_HEADER]: {
    description:
      'On answers to a valid key: what the records are called as they are now (a Dictionary of RFC 9651). `added` and `removed` count what was ever added to and removed from `store`; while none of the three changes, no answer about records does, but for the passing of time',
    schema: { type: 'string', examples: ['store=s4f1, added=15213, removed=5000'] },
  },
  [DATA_WINDOW_HEADER]: {
    description: "How many days back the key's plan reads, or `all`",
    schema: { oneOf: [{ type: 'integer' }, { const: 'all' }] },
  },
  [EXTENSIONS_HEADER]: {
    description: 'The operations that this service has beyond the reference, a list of their operation ids',
    schema: { type: 'string' },
  },
  [SERVICE_HEADER]: {
    description: 'That this is the reference service, which keeps alert profiles and sends what they match',
    schema: { const: OWN_SERVICE },
  },
}
const HEADER_REFERENCES = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

/** The OpenAPI 3.1 description of every route, made from the contract that the service itself parses with. */
export function buildOpenApi(publicUrl: string) {
  const routes: [string, UpstreamRoute][] = Object.entries(UPSTREAM_ROUTES)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [operationId, route] of routes) {
    const path = paths[route.path] ?? {}
    path[route.method.toLowerCase()] = { operationId, ...describeOperation(route) }
    paths[route.path] = path
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Threat Intelligence Service API', version: '1' },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }],
    tags: [
      { name: 'v1', description: 'The current route set' },
      { name: 'earlier', description: 'The earlier, unversioned route set' },
      { name: 'extension', description: 'Not of the reference: only this service has it' },
    ],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      headers: HEADERS,
      schemas: { Error: toSchema(errorSchema), RateLimitError: toSchema(rateLimitErrorSchema) },
    },
  }
}

function describeOperation(route: UpstreamRoute) {
  const statuses: Failure[] = [...COMMON_FAILURES, ...route.failures]
  return {
    summary: route.summary,
    tags: [route.set, ...(route.extension ? ['extension'] : [])],
    ...(route.extension && { description: route.extension, 'x-lantern-extension': true }),
    parameters: [...listPathParameters(route.path), ...listQueryParameters(route.query)],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: toSchema(route.body, 'input') } },
      },
    }),
    responses: {
      [route.status]: describeResponse('Success', toSchema(route.answer)),
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          describeResponse(FAILURES[status], {
            $ref: `#/components/schemas/${status === 429 && route.set === 'v1' ? 'RateLimitError' : 'Error'}`,
          }),
        ]),
      ),
    },
  }
}

function describeResponse(description: string, schema: unknown) {
  return { description, headers: HEADER_REFERENCES, content: { 'application/json': { schema } } }
}

function listPathParameters(path: string) {
  return Array.from(path.matchAll(/\{([a-z-]+)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function listQueryParameters(query: z.ZodMiniObject | undefined) {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => {
    const { description, ...rest } = toSchema(schema)
    return { name, in: 'query', required: false, ...(description && { description }), schema: rest }
  })
}

/** Describes a schema that parses text as a number with its bounds. */
function toSchema(schema: z.core.$ZodType, io: 'input' | 'output' = 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}
