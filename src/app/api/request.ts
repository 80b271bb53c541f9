import type * as z from 'zod/mini'
import type { BffMethod, BffPath } from '#contract/bff/endpoints.ts'
import { type Problem, problemSchema } from '#contract/bff/problem.ts'
import { ApiError } from './api-error.ts'
import { doubtConnection, noteAnswer, PATIENCE_MS } from './connection.ts'

type Query = Record<string, string | number | boolean | readonly string[] | undefined>

export type RequestOptions = {
  query?: Query
  signal?: AbortSignal
  /** No person requested it (a poll or a prefetch). It does not prolong the session. */
  background?: boolean
  /** A person requested newer data than the cache has. */
  refresh?: boolean
  /** The body comes by and by: only the answer's beginning is waited for. */
  streams?: boolean
}

// Longer than the BFF takes at most, so that its own words arrive first.
const TIMEOUT_MS = 15_000

/** The only fetch in the app. Answers a response that succeeded; everything else is an ApiError, but for the caller's own abort. */
export async function request<Method extends BffMethod>(
  method: Method,
  address: `/bff/${BffPath<Method>}`,
  { query, signal, background, refresh, streams, body }: RequestOptions & { body?: unknown } = {},
): Promise<Response> {
  const patience = new AbortController()
  const timeout = patience.signal
  const timer = setTimeout(() => patience.abort(), TIMEOUT_MS)
  const doubtTimer = setTimeout(doubtConnection, PATIENCE_MS)
  const headers = new Headers({ 'x-lantern': '1' })
  if (background) headers.set('x-lantern-background', '1')
  if (refresh) headers.set('x-lantern-refresh', '1')
  if (body !== undefined) headers.set('content-type', 'application/json')

  try {
    const response = await fetch(`${address}${searchOf(query)}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      redirect: 'error',
    })
    if (streams) clearTimeout(timer)
    noteAnswer()
    if (response.ok) return response
    throw new ApiError(await problemOf(response))
  } catch (error) {
    if (error instanceof ApiError || signal?.aborted) throw error
    doubtConnection()
    throw new ApiError(timeout.aborted ? TIMED_OUT : noAnswer(), { cause: error })
  } finally {
    clearTimeout(doubtTimer)
  }
}

/** `?name=value`, with a list's name repeated; empty text for no values. */
function searchOf(query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value]
    for (const each of values) if (each !== undefined) search.append(name, String(each))
  }
  return search.size > 0 ? `?${search}` : ''
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    return problemSchema.parse(await response.json())
  } catch {
    doubtConnection()
    return {
      type: 'about:blank',
      title: `Something between you and Lantern answered ${response.status}`,
      status: response.status,
      detail:
        'The answer is not one of Lantern’s own. A proxy or a restart may be the cause: try again shortly.',
      code: 'internal',
    }
  }
}

/** The request may have arrived: only its answer may have been lost. */
function noAnswer(): Problem {
  return {
    type: 'about:blank',
    title: navigator.onLine ? 'Lantern is not answering' : 'You are offline',
    status: 0,
    detail: 'The page polls Lantern until it answers. Then try again.',
    code: 'internal',
  }
}

const TIMED_OUT: Problem = {
  type: 'about:blank',
  title: 'Lantern took too long to answer',
  status: 408,
  detail: 'It may be busy, or your connection slow. Try again.',
  code: 'internal',
}

export type Schema<T> = z.ZodMiniType<T>

/** A body that does not fit its schema is an ApiError: the page and its server are of different versions. */
export async function readJson<T>(response: Response, schema: Schema<T>): Promise<T> {
  const text = await response.text().catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    doubtConnection()
    throw new ApiError(noAnswer(), { cause: error })
  })
  try {
    return schema.parse(text === '' ? undefined : JSON.parse(text))
  } catch (error) {
    throw new ApiError(
      {
        type: 'about:blank',
        title: 'Lantern’s answer could not be read',
        status: response.status,
        detail: 'This page may be older than the server: reload it. If that does not help, tell an admin.',
        code: 'internal',
      },
      { cause: error },
    )
  }
}
