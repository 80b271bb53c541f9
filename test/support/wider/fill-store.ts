import { expect } from 'vitest'
import { composeRooms } from '#bff/compose.ts'
import { createLog } from '#bff/http/log.ts'
import { createHistoryStep } from '#bff/store/history/read-history.ts'
import { countStored } from '#bff/store/records/store-threats.ts'
import { createReadStep } from '#bff/store/sync/read-step.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { nameSource } from '#bff/upstream/keys/known-secret.ts'
import { DAY_MS, MINUTE_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { playPast } from '#test/support/history/past-vendor.ts'
import { limitCalls } from '#test/support/limit-calls.ts'
import type { Random } from '#test/support/random.ts'
import { openStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { isFilled } from '#test/support/store/read-stored-state.ts'
import { USUAL_HISTORY, USUAL_NOTIFY } from '#test/support/usual-settings.ts'
import { CONTENT_WORDS, makeRecords, type WiderPlan, type WiderVendor } from './vendor-records.ts'

const SECRET = 'secret-of-the-tests'
const START_MS = Date.parse('2026-11-22T15:00:00Z')
/** The longest time between two steps: a plan that has no spare call gets one by and by. */
const STEP_MAX_MS = 20 * MINUTE_MS
/** Ten times what the slowest of the plans takes. */
const STEPS_MAX = 100

/** The BFF before one of the vendors, an analyst's browser, and a sync that is driven by hand on a clock of its own. */
export async function fillStore(
  database: OpenDatabase,
  { vendor, plan, random }: { vendor: WiderVendor; plan: WiderPlan; random: Random },
) {
  const standIn = await openStandInUpstream()
  const clock = createVirtualClock(START_MS)
  const records = makeRecords(random, { nowMs: START_MS, isOdd: vendor.isOdd })
  const from = { v1: START_MS - plan.v1Days * DAY_MS, earlier: START_MS - plan.earlierDays * DAY_MS }
  const oldestMs = vendor.alone ? from[vendor.alone] : Math.min(from.v1, from.earlier)
  const readable = records.filter(({ atMs }) => atMs >= oldestMs)
  playPast(standIn, {
    records,
    v1From: from.v1,
    earlierFrom: from.earlier,
    isV1Bound: plan.isV1Bound,
    ...(vendor.alone && { alone: vendor.alone }),
    limits: limitCalls(plan, clock.nowMs),
  })
  const log = createLog(() => {})
  const rooms = composeRooms({
    history: USUAL_HISTORY,
    notify: USUAL_NOTIFY,
    upstream: { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' },
    database,
    secret: SECRET,
    origin: 'http://localhost:4173',
    log,
    clock,
  })
  const source = nameSource(standIn.url, SECRET)
  const { upstream } = rooms
  const readNewer = createReadStep({ database, upstream, clock, source, history: USUAL_HISTORY })
  const past = { database, upstream, clock, log, source, limits: USUAL_HISTORY }
  const readPast = createHistoryStep(past)
  const bff = await createTestBff(database, { routes: rooms.routes })
  await bff.signIn()

  async function step(): Promise<void> {
    const waitMs = await readNewer().catch((error: unknown) => {
      if (!(error instanceof UpstreamError)) throw error
      return (error.retryAtMs ?? clock.nowMs() + MINUTE_MS) - clock.nowMs()
    })
    await readPast()
    clock.wait(Math.min(Math.max(50, waitMs), STEP_MAX_MS))
  }

  async function fill(isOver: () => Promise<boolean>): Promise<void> {
    for (let steps = 0; !(await isOver()); steps++) {
      expect(steps, 'steps of the sync').toBeLessThan(STEPS_MAX)
      await step()
    }
    rooms.store.forget()
    // No answer of before serves.
    bff.wait(MINUTE_MS)
  }

  return {
    ask: bff.ask,
    nowMs: clock.nowMs,
    readableIds: () => readable.map(({ id }) => id).toSorted(),
    fillHalf: () => fill(async () => (await countStored(database)) * 2 >= readable.length),
    fillAll: () =>
      fill(async () => (await isFilled(database)) && (await countStored(database)) === readable.length),
    /** What people do: they mark threats, open some of them, and have the vendor search full texts. */
    async use(ids: readonly string[]): Promise<void> {
      const some = () => random.some(ids).slice(0, 20)
      const act = async (body: object) => expect((await bff.ask('/bff/triage', { body })).status).toBe(200)
      await act({ action: 'read', ids: some() })
      await act({ action: 'star', ids: some() })
      await act({ action: 'close', reason: 'handled', ids: some() })
      await act({ action: 'note', text: 'Called them.', ids: some() })
      if (vendor.alone === 'v1') return
      for (const id of some().slice(0, 5)) {
        const { title, atMs, content, fields } = records.find((record) => record.id === id) ?? {}
        const posted = atMs && new Date(atMs).toISOString()
        standIn.play(`/api/feed/${id}`, {
          json: { id, title, posted_at: posted, ...fields?.earlier, content },
        })
        clock.wait(MINUTE_MS)
        expect((await bff.ask(`/bff/threats/${id}?set=earlier`)).status).toBe(200)
      }
      for (const q of [
        `${random.pick(CONTENT_WORDS)} ${random.pick(CONTENT_WORDS)}`,
        random.pick(CONTENT_WORDS),
      ]) {
        clock.wait(MINUTE_MS)
        const searched = await bff.ask('/bff/full-text-searches', { body: { q, offset: 0 } })
        expect(searched.status).toBe(200)
      }
      rooms.store.forget()
      bff.wait(MINUTE_MS)
    },
    async close() {
      await rooms.close()
      await standIn.close()
    },
  }
}
