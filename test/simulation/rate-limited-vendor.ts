import { DAY_MS } from '#contract/duration.ts'
import { limitCalls, type Plan } from '#test/support/limit-calls.ts'
import type { StandInCall, StandInUpstream } from '#test/support/stand-in-upstream.ts'

const RECORDS_EVERY_MS = 20 * 60_000

/** Plays a vendor on a trial plan: fixed windows of a UTC minute and a UTC day, and a record every 20 minutes. */
export function playVendor(
  standIn: StandInUpstream,
  {
    plan,
    nowMs,
    list = (call) => listRecords(call, nowMs()),
  }: { plan: Plan; nowMs: () => number; list?: (call: StandInCall) => unknown },
): { calls: number; refusals: number; mostInMinute: number } {
  const { counted, reply } = limitCalls(plan, nowMs)
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
