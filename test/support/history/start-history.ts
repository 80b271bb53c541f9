import { onTestFinished } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { readHistory } from '#bff/store/history/history-ranges.ts'
import { createHistoryStep } from '#bff/store/history/read-history.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import type { CompleteState } from '#bff/store/sync/sync-state.ts'
import { writeSyncState } from '#bff/store/sync/sync-state.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import { createUpstream } from '#bff/upstream/client/upstream-client.ts'
import { readThreatList } from '#bff/upstream/reader/read-threat-list.ts'
import { threatListQuerySchema } from '#contract/bff/threat-list.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { makeSyncState } from '#test/support/store/make-sync-state.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { playPast, recordsBetween } from './past-vendor.ts'

export const NOW_MS = Date.parse('2026-09-20T12:00:00Z')
export const V1_FROM_MS = Date.parse('2026-08-21T12:00:00Z')

type Options = {
  earlierFrom?: number
  everyMs?: number
  limits?: { days: number; records: number }
  sync?: Partial<CompleteState>
}

/** A store that holds v1's list down to the end of its plan, and the reader of what lies before. */
export async function startHistory(database: OpenDatabase, options: Options = {}) {
  const { earlierFrom = Date.parse('2026-06-10T00:00:00Z'), everyMs = 6 * HOUR_MS } = options
  const standIn = await startStandInUpstream()
  const records = recordsBetween(Date.parse('2026-05-01T00:00:00Z'), NOW_MS, everyMs)
  const vendor = playPast(standIn, { records, v1From: V1_FROM_MS, earlierFrom })
  const clock = createVirtualClock(NOW_MS)
  const keys = () => ({ apiKey: 'key-of-the-tests' })
  const upstream = createUpstream({ url: standIn.url, keys, clock, log: createLog(() => {}), database })
  onTestFinished(() => upstream.close())
  const state = makeSyncState(iso(NOW_MS), {
    storedFrom: iso(V1_FROM_MS),
    since: null,
    beyond: 'planWindow',
    ...options.sync,
  })
  await writeSyncState(database, state)
  const listed = readThreatList('v1', await (await fetch(`${standIn.url}/api/v1/threats?limit=10000`)).json())
  await storeThreats(database, placeThreats(listed?.threats ?? [], state.storedTo))
  const begin = () =>
    createHistoryStep({
      database,
      upstream,
      clock,
      log: createLog(() => {}),
      source: 'a source',
      limits: options.limits ?? { days: 400, records: 300_000 },
    })
  let step = begin()
  const store = createThreatStore({ limits: USUAL_HISTORY, database, clock, source: 'a source' })

  return {
    standIn,
    vendor,
    clock,
    upstream,
    records,
    store,
    /** Another process takes over. */
    restart: () => (step = begin()),
    step: () => step(),
    /** For so long, or until nothing has been read for a while. */
    async run({ ms = 10 * 60_000, steps = 400 } = {}): Promise<void> {
      const untilMs = clock.nowMs() + ms
      for (let at = 0; at < steps && clock.nowMs() < untilMs; at++) clock.wait(Math.max(50, await step()))
    },
    readHistory: () => readHistory(database),
    async coverage(start: string) {
      store.forget()
      const bounds = { start: Date.parse(start), end: null }
      const page = await store.list(threatListQuerySchema.parse({ within: undefined }), bounds, null)
      return page?.answer.freshness.coverage
    },
    async storedIds(): Promise<string[]> {
      const { rows } = await database.query('select id from window_threat order by id')
      return rows.map((row) => String(Object(row).id))
    },
    async loads() {
      const { rows } = await database.query(
        `select to_char(from_at at time zone 'utc', 'YYYY-MM-DD') as from, to_char(to_at at time zone 'utc', 'YYYY-MM-DD') as to,
                state, why, pages, records, added from history_load order by id`,
      )
      return rows
    },
  }
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}
