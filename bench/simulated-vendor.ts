import { restOfDay } from '#bff/upstream/quota/rest-of-day.ts'
import { limitCalls, type Plan } from '#test/support/limit-calls.ts'
import { openStandInUpstream, type StandInCall } from '#test/support/stand-in-upstream.ts'
import { v1List } from '#test/support/upstream-records.ts'
import { recordOf, VENDOR_ACTORS } from './counting-vendor.ts'
import { type Arrival, OFFICE_HOURS } from './team-days.ts'

/** Its minutes and days begin at other times than ours, and its clock is ahead. */
const PHASE = { minuteMs: 23_400, dayMs: 5 * 3_600_000 + 13 * 60_000 + 23_400 }
const AHEAD_MS = 1_700
const PAGE = 50
/** Of a day's calls, what the sync leaves for people at the day's beginning; it shrinks with the hours they are there. */
const RESERVE = 0.45
const USUAL_HOURS = new Map(OFFICE_HOURS.map((hour) => [hour, 1]))
const EARLIER_PATHS = ['/api/feed', '/api/metrics', '/api/alerts']

export type SimulatedVendor = {
  url: string
  counted(): { calls: number; refusals: number; bySync: number; intoReserve: number }
  close(): Promise<void>
}

/** A vendor of API v1 on a small plan that lists each record from the moment when it is published. */
export async function startSimulatedVendor(
  plan: Plan,
  arrivals: readonly Arrival[],
  nowMs: () => number,
): Promise<SimulatedVendor> {
  const standIn = await openStandInUpstream()
  const { counted, reply, restOfDay: dayLeft } = limitCalls(plan, () => nowMs() + AHEAD_MS, PHASE)
  const own = { bySync: 0, intoReserve: 0 }
  const newestFirst = arrivals.toReversed()

  function list({ query }: StandInCall) {
    const published = newestFirst.filter(
      ({ atMs }) => atMs <= nowMs() && atMs >= Date.parse(query.since ?? '0'),
    )
    const start = query.cursor ? published.findIndex(({ id }) => id === query.cursor) : 0
    const page = published.slice(start, start + Math.min(PAGE, Number(query.limit ?? PAGE)))
    return v1List(page.map(recordOfArrival), {
      total: published.length,
      cursor: published[start + page.length]?.id ?? null,
    })
  }

  standIn.play('/api/v1/threats', (call) => {
    // Only the sync asks for the list: people's lists are answered from the window.
    const { calls, endsAtMs } = dayLeft()
    own.bySync += 1
    const rest = restOfDay(nowMs() + AHEAD_MS, endsAtMs, USUAL_HOURS)
    if (calls <= RESERVE * rest * plan.perDay) own.intoReserve += 1
    return reply(() => list(call))
  })
  standIn.play('/api/v1/threat-actors', () =>
    reply(() => ({ data: VENDOR_ACTORS.map((name, mentions) => ({ name, mentions })) })),
  )
  for (const code of ['DE', 'FR', 'JP', 'BR', 'IN'])
    standIn.play(`/api/v1/countries/${code}`, () => reply(() => ({ data: { country: code, threats: 9 } })))
  for (const arrival of arrivals)
    standIn.play(`/api/v1/threats/${arrival.id}`, () => reply(() => ({ data: recordOfArrival(arrival) })))
  const forbidden = { status: 403, json: { error: 'Your plan has no API access' } }
  for (const path of [...EARLIER_PATHS, ...arrivals.map(({ id }) => `/api/feed/${id}`)])
    standIn.play(path, forbidden)

  return {
    url: standIn.url,
    counted: () => ({ ...counted, ...own }),
    close: () => standIn.close(),
  }
}

function recordOfArrival({ id, atMs }: Arrival) {
  return recordOf(Number(id.slice(4)), atMs)
}
