import type { StandInCall, StandInReply, StandInUpstream } from '#test/support/stand-in-upstream.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const RECORDS_EVERY_MS = 20 * 60_000

export type Plan = { perMinute: number; perDay: number }
type Window = { limit: number; periodMs: number; startMs: number; used: number }

/** Plays a vendor on a trial plan: fixed windows of a UTC minute and a UTC day, and a record every 20 minutes. */
export function playVendor(
  standIn: StandInUpstream,
  {
    plan,
    nowMs,
    list = (call) => listRecords(call, nowMs()),
  }: { plan: Plan; nowMs: () => number; list?: (call: StandInCall) => unknown },
): { calls: number; refusals: number; mostInMinute: number } {
  const counted = { calls: 0, refusals: 0, mostInMinute: 0 }
  const minute: Window = { limit: plan.perMinute, periodMs: MINUTE_MS, startMs: 0, used: 0 }
  const day: Window = { limit: plan.perDay, periodMs: DAY_MS, startMs: 0, used: 0 }

  function reply(answer: () => unknown): StandInReply {
    for (const window of [minute, day]) {
      const startMs = Math.floor(nowMs() / window.periodMs) * window.periodMs
      if (window.startMs !== startMs) Object.assign(window, { startMs, used: 0 })
    }
    const full = [day, minute].find(({ used, limit }) => used >= limit)
    if (full) {
      counted.refusals += 1
      const retryAfter = Math.ceil((full.startMs + full.periodMs - nowMs()) / 1000)
      return {
        status: 429,
        headers: headersOf(full),
        json: { error: 'Rate limit', retry_after: retryAfter },
      }
    }
    for (const window of [minute, day]) window.used += 1
    counted.calls += 1
    counted.mostInMinute = Math.max(counted.mostInMinute, minute.used)
    return { headers: headersOf(shareOf(day) < shareOf(minute) ? day : minute), json: answer() }
  }

  function headersOf({ limit, used, startMs, periodMs }: Window) {
    return {
      date: new Date(nowMs()).toUTCString(),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(limit - used),
      'x-ratelimit-reset': String((startMs + periodMs) / 1000),
    }
  }

  standIn.play('/api/v1/threats', (call) => reply(() => list(call)))
  standIn.play('/api/v1/threat-actors', () => reply(() => ({ data: [{ name: 'lock bit', mentions: 3 }] })))
  for (const id of recentIds(nowMs(), nowMs() + DAY_MS)) {
    // The title says when it was read, so that a page's age can be compared with it.
    standIn.play(`/api/v1/threats/${id}`, () =>
      reply(() => ({ data: { ...recordOf(id), title: `read at ${nowMs()}` } })),
    )
  }
  for (const path of ['/api/feed', ...recentIds(nowMs(), nowMs() + DAY_MS).map((id) => `/api/feed/${id}`)])
    standIn.play(path, { status: 403, json: { error: 'Your plan has no API access' } })
  return counted
}

/** Ids of the two days before `fromMs` and of the time until `toMs`, oldest first. */
export function recentIds(fromMs: number, toMs: number): string[] {
  const first = Math.floor((fromMs - 2 * DAY_MS) / RECORDS_EVERY_MS)
  const count = Math.floor(toMs / RECORDS_EVERY_MS) - first + 1
  return Array.from({ length: count }, (_, at) => `thr_${first + at}`)
}

function recordOf(id: string) {
  const at = Number(id.slice(4)) * RECORDS_EVERY_MS
  return { id, title: id, category: 'Ransomware', published_at: new Date(at).toISOString() }
}

function listRecords({ query }: StandInCall, nowMs: number) {
  const limit = Number(query.limit ?? 50)
  const before = Number(query.cursor ?? Number.POSITIVE_INFINITY)
  const ids = recentIds(nowMs, nowMs)
    .toReversed()
    .filter((id) => Number(id.slice(4)) < before)
  const page = ids.slice(0, limit)
  const cursor = ids.length > page.length ? String(page.at(-1)?.slice(4)) : null
  const meta = { total: ids.length, returned: page.length, cursor, filters_applied: {} }
  return { data: page.map(recordOf), meta }
}

function shareOf({ limit, used }: Window): number {
  return (limit - used) / limit
}
