import type { IncomingMessage, ServerResponse } from 'node:http'
import { findForgery } from '#bff/http/guards/request-guard.ts'
import type { AnswerCache } from './answer-cache.ts'
import { readCookie } from './cookies.ts'
import type { SessionLookup } from './route.ts'

export type ServeCachedDependencies = {
  answers: AnswerCache
  sessions: SessionLookup
  sessionCookie: string
  origins: ReadonlySet<string>
}

/**
 * Serves answers that are in memory as bytes, to sessions that are in memory too, without the app in between. It
 * decides nothing of its own: guards, sessions and replies are the app's, and every other request is left to the app.
 */
export function serveCached(
  { answers, sessions, sessionCookie, origins }: ServeCachedDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { method, url: target, headers } = request
  if (method !== 'GET' || !target?.startsWith('/bff/')) return false
  if (headers['x-lantern-refresh'] !== undefined) return false
  if (findForgery((name) => headers[name]?.toString(), origins)) return false

  const token = readCookie(headers.cookie, sessionCookie)
  if (!token) return false
  const isBackground = headers['x-lantern-background'] === '1'
  const acceptEncoding = headers['accept-encoding']?.toString()
  const ifNoneMatch = headers['if-none-match']
  const session = sessions.peek(token, { isBackground })
  const reply = session && answers.get(session.user.role, target)?.ready(acceptEncoding, ifNoneMatch)
  if (!reply) return false

  response.writeHead(reply.status, reply.headers)
  response.end(reply.body)
  return true
}
