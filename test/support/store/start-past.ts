import { createReadStep } from '#bff/store/sync/read-step.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { restOfDay } from '#bff/upstream/quota/rest-of-day.ts'
import { DAY_MS } from '#contract/duration.ts'
import { limitCalls, type Plan } from '#test/support/limit-calls.ts'
import { startGoverned, THREATS } from '#test/support/start-governed.ts'
import { takeDatabase } from '#test/support/with-database.ts'

const PAGE = 50
/** Of a day's calls, what is kept for people before a call that nobody waits for. */
const PEOPLES_SHARE = 0.5

type Vendor = { plan: Plan; records: number; days: number }

/** The sync before a vendor whose records lie evenly over so many days, and which lists no new ones. */
export async function startPast({ plan, records, days }: Vendor) {
  const database = await takeDatabase('bff')
  const { standIn, clock, upstream } = await startGoverned(database)
  const startedMs = clock.nowMs()
  const limits = limitCalls(plan, clock.nowMs)
  const seen = { looks: [startedMs], pastInReserve: 0, past: 0 }
  standIn.play(THREATS, ({ query }) => {
    const from = Number(query.cursor ?? 0)
    const { calls, endsAtMs } = limits.restOfDay()
    const atMs = (at: number) => startedMs - (at * days * DAY_MS) / records
    if (query.cursor === undefined) seen.looks.push(clock.nowMs())
    if (atMs(from) < clock.nowMs() - 32 * DAY_MS) {
      seen.past++
      const kept = PEOPLES_SHARE * restOfDay(clock.nowMs(), endsAtMs, new Map()) * plan.perDay
      if (calls <= kept) seen.pastInReserve++
    }
    return limits.reply(() => {
      const data = Array.from({ length: Math.min(PAGE, records - from) }, (_, at) => ({
        id: `thr_${from + at}`,
        title: 'A record',
        published_at: new Date(atMs(from + at)).toISOString(),
      }))
      return { data, meta: { total: records, cursor: from + PAGE < records ? String(from + PAGE) : null } }
    })
  })
  standIn.play('/api/feed', { status: 403, json: { error: 'Your plan has no such API' } })
  const history = { days: 400, records: 300_000 }
  const step = createReadStep({ database, upstream, clock, source: 'a source', history })
  const daysGone = () => (clock.nowMs() - startedMs) / DAY_MS
  return {
    database,
    limits,
    seen,
    daysGone,
    async runUntil(isOver: () => Promise<boolean>, mostDays: number): Promise<void> {
      while (daysGone() < mostDays && !(await isOver())) {
        const waitMs = await step().catch((error: unknown) => {
          if (!(error instanceof UpstreamError)) throw error
          return (error.retryAtMs ?? clock.nowMs() + 60_000) - clock.nowMs()
        })
        clock.wait(Math.min(Math.max(50, waitMs), 600_000))
      }
    },
  }
}
