import { createReadStep } from '#bff/store/sync/read-step.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { restOfDay } from '#bff/upstream/quota/rest-of-day.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { Plan } from '#test/support/limit-calls.ts'
import type { StandInReply } from '#test/support/stand-in-upstream.ts'
import { startGoverned } from '#test/support/start-governed.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { type EditedRecord, playEditingVendor } from './editing-vendor.ts'
import { isFilled } from './read-stored-state.ts'

export const LARGE: Plan = { perMinute: 10, perDay: 1_000 }
export const SMALL: Plan = { perMinute: 5, perDay: 100 }
/** A record every two hours, of 32 days. */
const RECORDS = 32 * 12
/** A crawl through several pages waits no longer. */
const UNDER_WAY_MS = 50_000

export type ChangedOptions = {
  plan?: Plan
  set?: RouteSet
  hasTotal?: boolean
  sort?: (records: readonly EditedRecord[]) => EditedRecord[]
}

/** A window that holds all of a vendor's records, whose time goes on as a test says. */
export async function startChangedStore({ plan = LARGE, set = 'v1', ...options }: ChangedOptions) {
  const database = await takeDatabase('bff')
  const { standIn, clock, upstream } = await startGoverned(database)
  const startMs = clock.nowMs()
  let fault: StandInReply | undefined
  const vendor = playEditingVendor(standIn, {
    plan,
    set,
    nowMs: clock.nowMs,
    ...options,
    fault: () => fault,
  })
  for (let at = 0; at < RECORDS; at++) {
    const id = `thr_${String(at).padStart(4, '0')}`
    vendor.records.set(id, { id, title: 'As listed', atMs: startMs - at * 2 * HOUR_MS })
  }
  const begin = () =>
    createReadStep({ database, upstream, clock, source: 'a source', history: { days: 30, records: 300_000 } })
  let step = begin()
  let intoReserve = 0

  async function goOn(): Promise<number> {
    const { calls, endsAtMs } = vendor.limits.restOfDay()
    const before = vendor.limits.counted.calls
    const waitMs = await step().catch((error: unknown) => {
      if (!(error instanceof UpstreamError)) throw error
      return (error.retryAtMs ?? clock.nowMs() + MINUTE_MS) - clock.nowMs()
    })
    const kept = 0.45 * restOfDay(clock.nowMs(), endsAtMs, new Map()) * plan.perDay
    if (vendor.limits.counted.calls > before && calls <= kept) intoReserve++
    return Math.min(Math.max(waitMs, 50), 600_000)
  }

  /** Where a stride is given, looks for new records come as much later, and the rest as it does. */
  async function runUntil(
    isOver: () => boolean | Promise<boolean>,
    { maxMs, strideMs = 0 }: { maxMs: number; strideMs?: number },
  ): Promise<number> {
    const fromMs = clock.nowMs()
    while (clock.nowMs() < fromMs + maxMs && !(await isOver())) {
      const waitMs = await goOn()
      clock.wait(waitMs > UNDER_WAY_MS ? Math.max(waitMs, strideMs) : waitMs)
    }
    return clock.nowMs() - fromMs
  }

  await runUntil(() => isFilled(database), { maxMs: 3 * DAY_MS })
  return {
    database,
    clock,
    vendor,
    runUntil,
    idAgo: (ms: number) =>
      `thr_${String(Math.round((startMs - clock.nowMs() + ms) / (2 * HOUR_MS))).padStart(4, '0')}`,
    intoReserve: () => intoReserve,
    break: (reply?: StandInReply) => (fault = reply),
    restart: () => (step = begin()),
  }
}

type Started = Awaited<ReturnType<typeof startChangedStore>>

/** Corrects one record so old, adds one that is back-dated and withdraws one; returns whether all is stored so. */
export function change({ vendor, clock, database, idAgo }: Started, ageMs: number): () => Promise<boolean> {
  const [corrected, withdrawn] = [idAgo(ageMs), idAgo(ageMs + 2 * HOUR_MS)]
  const before = vendor.records.get(corrected)
  if (!before || !vendor.records.delete(withdrawn)) throw new Error('No such records')
  vendor.records.set(corrected, { ...before, title: 'As corrected' })
  const backDated = { id: `late_${ageMs}`, title: 'Back-dated', atMs: clock.nowMs() - ageMs - HOUR_MS }
  vendor.records.set(backDated.id, backDated)
  return async () => {
    const stored = await readTitles(database)
    return stored.get(corrected) === 'As corrected' && stored.has(backDated.id) && !stored.has(withdrawn)
  }
}

export async function readTitles(database: OpenDatabase): Promise<Map<string, unknown>> {
  const { rows } = await database.query(`select id, threat::json ->> 'title' as title from window_threat`)
  return new Map(rows.map((row) => [String(Object(row).id), Object(row).title]))
}
