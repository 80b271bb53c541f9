import { onTestFinished } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import type { Caller } from '#bff/upstream/client/caller.ts'
import type { Upstream } from '#bff/upstream/client/upstream.ts'
import { createUpstream } from '#bff/upstream/client/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import type { Database } from '#database/database.ts'
import { type StandInUpstream, startStandInUpstream } from './stand-in-upstream.ts'

export const THREATS = '/api/v1/threats'
export const NOON_MS = Date.parse('2026-03-10T12:00:00Z')

export const personOf = (session: string): Caller => ({ priority: 'person', who: 'u-1', session })
export const READER: Caller = { priority: 'window', who: null, session: null }

/** A client whose time moves when `wait` is called, with a vendor that answers as the test says. */
export async function startGoverned(database: Database) {
  const standIn = await startStandInUpstream()
  const clock = createVirtualClock()
  return { standIn, clock, ...createClient(database, standIn, clock) }
}

/** One more process on the same key. */
export function createClient(database: Database, standIn: StandInUpstream, clock: VirtualClock) {
  const logged: string[] = []
  const log = createLog((line) => logged.push(line))
  const upstream = createUpstream({
    url: standIn.url,
    keys: () => ({ apiKey: 'key-of-the-tests' }),
    clock,
    log,
    database,
  })
  onTestFinished(() => upstream.close())
  return { upstream, logged, list: (caller: Caller = personOf('s-1')) => list(upstream, caller) }
}

export type VirtualClock = ReturnType<typeof createVirtualClock>

export function createVirtualClock(startMs = NOON_MS) {
  let elapsedMs = 0
  return {
    // As a process's own clock, it is past 0 at the first reading.
    elapsedMs: () => 1 + elapsedMs,
    nowMs: () => startMs + elapsedMs,
    wait(ms: number) {
      elapsedMs += ms
    },
  }
}

/** `answered`, or the kind of the failure and when a repeat can succeed. */
async function list(upstream: Upstream, caller: Caller): Promise<{ kind: string; retryAtMs: number | null }> {
  try {
    await upstream.call('listThreats', {}, caller)
    return { kind: 'answered', retryAtMs: null }
  } catch (error) {
    if (error instanceof UpstreamError) return { kind: error.kind, retryAtMs: error.retryAtMs }
    throw error
  }
}
