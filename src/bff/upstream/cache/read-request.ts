import type { ReaderSession, RouteRequest } from '#bff/http/route.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'

/** Shorter than the patience of a browser, which gives up after 12 seconds. */
const PATIENCE_MS = 11_500

/** The reader of a request decides whether it is worth a call, and how long it waits. */
export type ReadRequest = {
  caller: Caller
  /** A person wants newer data. */
  isRefresh: boolean
  /** Ends the waiting; the read goes on, for others and for the cache. */
  signal: AbortSignal
}

export function toReadRequest(
  { isBackground, isRefresh, signal }: RouteRequest,
  session: ReaderSession,
): ReadRequest {
  return {
    caller: { priority: isBackground ? 'refresh' : 'person', who: session.user.id, session: session.id },
    isRefresh: isRefresh && !isBackground,
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  }
}
