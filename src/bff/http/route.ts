import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/bff/endpoints.ts'
import type { Role, Session } from '#contract/bff/session.ts'
import type { AccountLimit } from './account-limits.ts'

/** The session behind a request. `id` names it in logs and budgets; it is not the cookie's token. */
export type ReaderSession = Session & {
  id: string
  /** Its person has signed in, or proven to be there, within the last minutes. */
  hasFreshProof: boolean
  /** Its role needs a second factor, and the account has none: it can set one up, and nothing else. */
  mustEnrol: boolean
}

/** Finds sessions by the token of a cookie. */
export type SessionLookup = {
  /** Returns a session from memory, without waiting; undefined if only `find` knows. */
  peek(token: string, request: { isBackground: boolean }): ReaderSession | undefined
  /** Null when there is no such session any more. A request that a person made keeps it from idling out. */
  find(token: string, request: { isBackground: boolean }): Promise<ReaderSession | null>
  /** Reads from the database: memory may not know yet that the session has ended. */
  findNow(token: string, request: { isBackground: boolean }): Promise<ReaderSession | null>
}

/** The facts of a request that a route may use; headers themselves do not cross. */
export type RouteRequest = {
  id: string
  /** Method and path template, such as `PUT /bff/views/:id`. */
  route: string
  /** The peer's address, or what proxies in TRUSTED_PROXIES say of the hop before them. */
  address: string
  /** The value of a cookie of ours. */
  cookie(name: string): string | null
  /** Not requested by a person: a poll, or a guess at what comes next. */
  isBackground: boolean
  /** A person wants newer data. */
  isRefresh: boolean
  /** The browser's own description. */
  userAgent: string
  /** Aborts when the browser goes away. */
  signal: AbortSignal
}

type AnswerHead = {
  status?: number
  headers?: Readonly<Record<string, string>>
  /** Whole `Set-Cookie` values. */
  cookies?: readonly string[]
  /** These bytes may be served again for this long, if the route's cache class allows it. Absent: they are not cached. */
  freshForMs?: number | undefined
}
/** A JSON document, raw bytes (a picture), a stream of bytes, or nothing (204). */
export type Answer =
  | (AnswerHead & { json: unknown })
  | (AnswerHead & { bytes: Uint8Array<ArrayBuffer>; contentType: string })
  | (AnswerHead & { stream: ReadableStream<Uint8Array<ArrayBuffer>>; contentType: string })
  | (AnswerHead & { status: 204 })

export type Fields = z.ZodMiniObject
type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined

export type RouteDefinition<
  Access extends 'public' | Role,
  Params extends Fields | undefined,
  Query extends Fields | undefined,
  Body extends z.ZodMiniType | undefined,
> = {
  method: (typeof METHODS)[number]
  /** Hono's grammar: `/bff/threats/:id`. */
  path: string
  /** `public`, or the least role that may call it. */
  access: Access
  params?: Params
  /** Names it does not list are refused. A name whose schema is an array may repeat. */
  query?: Query
  body?: Body
  /** More than a body may usually have. */
  bodyMaxBytes?: number
  /** `none`: the route changes nothing, though it has a body, and answers while sessions cannot be checked. */
  effect?: 'none'
  /** Limits what one account, or one address on a public route, may request at once and in a minute; none without it. */
  limit?: AccountLimit
  /** `answer`: a fresh answer's bytes may be served again to any reader of the same role. Without it, they are not. */
  cache?: 'answer'
  /** It changes what an account or the key opens: its person must have proven to be there a short while ago. */
  needsFreshProof?: boolean
  /** It is part of setting up a second factor: also for those who can do nothing else before. */
  isForEnrolment?: boolean
  answer(input: {
    params: Output<Params>
    query: Output<Query>
    body: Output<Body>
    session: Access extends 'public' ? null : ReaderSession
    request: RouteRequest
  }): Promise<Answer>
}

/** A line of the BFF's closed route table. */
export type BffRoute = RouteDefinition<
  'public' | Role,
  Fields | undefined,
  Fields | undefined,
  z.ZodMiniType | undefined
>

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** Defines the route of an endpoint of the contract. It gives `answer` the types of the schemas. */
export function defineRoute<
  Access extends 'public' | Role,
  Params extends Fields | undefined = undefined,
  Query extends Fields | undefined = undefined,
  Body extends z.ZodMiniType | undefined = undefined,
>(
  endpoint: Endpoint,
  definition: Omit<RouteDefinition<Access, Params, Query, Body>, 'method' | 'path'>,
): BffRoute {
  const [name, path = ''] = endpoint.split(' ')
  const method = METHODS.find((one) => one === name)
  if (!method) throw new Error(`No route has the method ${name}`)
  return { ...definition, method, path }
}
