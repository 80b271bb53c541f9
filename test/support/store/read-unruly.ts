import { createLog } from '#bff/http/log.ts'
import { createReadStep } from '#bff/store/sync/read-step.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import type { FeedBounds } from '#bff/time/time-range.ts'
import { createUpstream } from '#bff/upstream/client/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { threatListQuerySchema } from '#contract/bff/threat-list.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { openStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { playUnruly, type UnrulyList } from './unruly-list.ts'

const SOURCE = 'a source'
const ALL: FeedBounds = { start: null, end: null }
const SETTLED_MS = 5_000

/** The sync on a vendor over HTTP, step by step on a clock that moves when it waits, and what the feed says then. */
export async function openUnruly(database: Database, list: UnrulyList) {
  const standIn = await openStandInUpstream()
  playUnruly(standIn, list)
  const clock = createVirtualClock()
  const keys = () => ({ apiKey: 'key-of-the-tests' })
  const upstream = createUpstream({ url: standIn.url, keys, clock, log: createLog(() => {}), database })
  const begin = () =>
    createReadStep({ database, upstream, clock, source: SOURCE, history: { days: 30, records: 300_000 } })
  let step = begin()
  const store = createThreatStore({ limits: USUAL_HISTORY, database, clock, source: SOURCE })

  /** Null after a failure, as of an API that the plan does not include. */
  async function goOn(): Promise<number | null> {
    const waitMs = await step().catch((error: unknown) => {
      if (error instanceof UpstreamError) return null
      throw error
    })
    return waitMs === null ? null : Math.max(50, waitMs)
  }

  return {
    standIn,
    clock,
    store,
    /** Another process takes over. */
    restart() {
      step = begin()
    },
    /** Until no call is due for some seconds; false where that takes more steps than these. */
    async settle(stepsMax = 60): Promise<boolean> {
      for (let steps = 0; steps < stepsMax; steps++) {
        const waitMs = await goOn()
        if (waitMs !== null && waitMs >= SETTLED_MS) return true
        clock.wait(waitMs ?? MINUTE_MS)
      }
      return false
    },
    /** All that is due each half hour for so long. */
    async pass(ms: number): Promise<void> {
      const untilMs = clock.nowMs() + ms
      do {
        for (let steps = 0; steps < 20; steps++) {
          const waitMs = await goOn()
          if (waitMs !== null && waitMs >= SETTLED_MS) break
          clock.wait(waitMs ?? 1_000)
        }
        clock.wait(31 * MINUTE_MS)
      } while (clock.nowMs() < untilMs)
    },
    /** Every page of the feed without a filter, as a reader pages through it. */
    async feed() {
      store.forget()
      const query = threatListQuerySchema.parse({})
      const threats: Threat[] = []
      let page = await store.list(query, ALL, null)
      const { total, isTotalExact, freshness } = page.answer
      threats.push(...page.answer.threats)
      while (page.next) {
        page = await store.list(query, ALL, page.next)
        threats.push(...page.answer.threats)
      }
      return {
        ids: threats.map(({ id }) => id),
        total,
        isTotalExact,
        missing: freshness.missing,
        coverage: freshness.coverage,
        state: await store.state(),
      }
    },
    async close() {
      await upstream.close()
      await standIn.close()
    },
  }
}
