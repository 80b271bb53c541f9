import type { Context } from 'hono'
import * as z from 'zod/mini'
import { networkOf } from '#bff/http/guards/network-of.ts'
import { commonHeaders, DATA_HEADERS } from '#bff/http/guards/response-headers.ts'
import { freshnessSchema } from '#contract/bff/freshness.ts'
import { isDatabaseAway } from '#database/is-database-away.ts'
import type { AccountLimits } from './account-limits.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { BffEnvironment } from './app-environment.ts'
import { readCookie } from './cookies.ts'
import { DATABASE_AWAY } from './problem-error.ts'
import { parseInput, readJson, readQuery } from './read-input.ts'
import { type Reply, Representation } from './representation.ts'
import { requireFactor, requireFreshProof, requireRole } from './require-role.ts'
import type { Answer, BffRoute, ReaderSession, RouteRequest, SessionLookup } from './route.ts'

export type RouteHandlerDependencies = {
  sessions: SessionLookup
  /** The cookie that holds a session's token. */
  sessionCookie: string
  answers: AnswerCache
  limits: AccountLimits
  /** Browsers reach Lantern by HTTPS. */
  isHttps: boolean
}

type BffContext = Context<BffEnvironment>

/**
 * Answers one line of the route table: session and role, then what is cached, then input, then the route itself. A write
 * looks at session and role again once its body is there, in the database: it may have been long in coming.
 */
export async function answerRoute(
  route: BffRoute,
  deps: RouteHandlerDependencies,
  c: BffContext,
): Promise<Response> {
  if (c.env?.facts) c.env.facts.route = route.path
  const request = describeRequest(c, `${route.method} ${route.path}`)
  const atFirst = await admit(route, request, deps)
  const cacheRole = route.cache === 'answer' ? atFirst?.user.role : undefined
  const target = targetOf(c.req.url)
  const cached = cacheRole && !request.isRefresh ? deps.answers.get(cacheRole, target) : undefined
  if (cached) return sendRepresentation(c, cached)

  const { generation } = deps.answers
  const rawQuery = readQuery(new URL(c.req.url).searchParams, route.query)
  const query = route.query && parseInput(route.query, rawQuery)
  const params = route.params && parseInput(route.params, c.req.param())
  const sent = route.body && (await readJson(c.req.raw, { maxBytes: route.bodyMaxBytes }))
  const input = {
    params,
    query,
    session: route.method === 'GET' ? atFirst : await admit(route, request, deps, againBy(route)),
    body: route.body && parseInput(route.body, sent),
    request,
  }
  const end = route.limit && deps.limits.begin(route.limit, callerOf(input))
  const answer = await route
    .answer(input)
    .then(
      (given) => endWith(given, end),
      (error: unknown) => {
        end?.()
        throw error
      },
    )
    .catch((error: unknown) => recallAnswer(error, cacheRole && deps.answers.getOld(cacheRole, target)))
  // Nobody reads what answers a HEAD: without this, a stream would stay open for good.
  if ('stream' in answer && c.req.method === 'HEAD') await answer.stream.cancel()
  if (!isDocument(route, answer)) return sendAnswer(answer, c.req.method === 'HEAD')

  const representation = represent(answer, deps.isHttps)
  // An answer that is stale at once is cached as well: it may be the last one.
  if (cacheRole && answer.freshForMs !== undefined && generation === deps.answers.generation) {
    deps.answers.set(cacheRole, target, representation, answer.freshForMs)
  }
  return sendRepresentation(c, representation)
}

/** Calls `end` once the answer is made, or, of a stream, once it has been read or given up. */
function endWith(answer: Answer, end: (() => void) | null | undefined): Answer {
  if (!end) return answer
  if (!('stream' in answer)) {
    end()
    return answer
  }
  const reader = answer.stream.getReader()
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read()
        if (!done) return controller.enqueue(value)
        end()
        controller.close()
      } catch (error) {
        end()
        throw error
      }
    },
    cancel(reason) {
      end()
      return reader.cancel(reason)
    },
  })
  return { ...answer, stream }
}

export function describeRequest(c: BffContext, route: string): RouteRequest {
  return {
    id: c.var.requestId,
    route,
    address: c.env?.peerAddress ?? '',
    cookie: (name) => readCookie(c.req.header('cookie'), name),
    isBackground: c.req.header('x-lantern-background') === '1',
    isRefresh: c.req.header('x-lantern-refresh') === '1',
    userAgent: c.req.header('user-agent') ?? '',
    signal: c.req.raw.signal,
  }
}

/** Null where no session is needed. */
async function admit(
  { access, needsFreshProof = false, isForEnrolment = false }: BffRoute,
  request: RouteRequest,
  { sessions, sessionCookie }: RouteHandlerDependencies,
  lookUp: 'find' | 'findNow' = 'find',
): Promise<ReaderSession | null> {
  if (access === 'public') return null
  const token = request.cookie(sessionCookie)
  const session = requireRole(token ? await sessions[lookUp](token, request) : null, access)
  if (!isForEnrolment) requireFactor(session)
  // Memory may not know yet that the proof was given.
  if (needsFreshProof && lookUp === 'findNow') requireFreshProof(session)
  return session
}

function callerOf({ session, request }: { session: ReaderSession | null; request: RouteRequest }) {
  return session
    ? ({ kind: 'account', id: session.user.id } as const)
    : ({ kind: 'address', id: networkOf(request.address) } as const)
}

function againBy({ effect }: BffRoute): 'find' | 'findNow' {
  return effect === 'none' ? 'find' : 'findNow'
}

/** The path and query as the request line has them: the key under which cached answers are found. */
function targetOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}

type JsonAnswer = Extract<Answer, { json: unknown }>

/** A plain 200 to a GET: it has a validator, codings, and may be cached. */
function isDocument({ method }: BffRoute, answer: Answer): answer is JsonAnswer {
  return method === 'GET' && 'json' in answer && (answer.status ?? 200) === 200 && !answer.cookies
}

function represent({ json, headers }: JsonAnswer, isHttps: boolean): Representation {
  const body = Buffer.from(JSON.stringify(json))
  return new Representation(body, {
    ...commonHeaders(isHttps),
    ...DATA_HEADERS,
    'content-type': 'application/json',
    ...headers,
  })
}

async function sendRepresentation(c: BffContext, representation: Representation): Promise<Response> {
  const reply: Reply = await representation.reply(
    c.req.header('accept-encoding'),
    c.req.header('if-none-match'),
  )
  return new Response(reply.body, { status: reply.status, headers: reply.headers })
}

function sendAnswer(answer: Answer, isHead: boolean): Response {
  const headers = new Headers(answer.headers)
  for (const cookie of answer.cookies ?? []) headers.append('set-cookie', cookie)
  const status = answer.status ?? 200
  if ('json' in answer) {
    headers.set('content-type', 'application/json')
    return new Response(JSON.stringify(answer.json), { status, headers })
  }
  if ('bytes' in answer) {
    headers.set('content-type', answer.contentType)
    return new Response(answer.bytes, { status, headers })
  }
  if ('stream' in answer) {
    headers.set('content-type', answer.contentType)
    return new Response(isHead ? null : answer.stream, { status, headers })
  }
  return new Response(null, { status, headers })
}

const labelledSchema = z.looseObject({ freshness: freshnessSchema })

/** Returns the last answer, labelled as old, while the database that a new one needs is away. */
function recallAnswer(error: unknown, last: { text: string } | undefined): Answer {
  const known = last && isDatabaseAway(error) ? labelledSchema.safeParse(JSON.parse(last.text)) : null
  if (!known?.success) throw error
  const freshness = { ...known.data.freshness, isStale: true, staleReason: DATABASE_AWAY }
  return { json: { ...known.data, freshness } }
}
