import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createLog } from '#bff/http/log.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import { MINUTE_MS } from '#contract/duration.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import type { StandInCall, StandInReply } from '#test/support/stand-in-upstream.ts'
import { startGoverned, THREATS } from '#test/support/start-governed.ts'
import { earlierRecord, v1List, v1Record } from '#test/support/upstream-records.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'
import { takeDatabase } from '#test/support/with-database.ts'
import { startSync } from './start-sync.ts'

const TIMEOUT_MS = 120_000
const THREE_MINUTES_MS = 3 * MINUTE_MS
const SOURCE = 'a source'
const FEED = '/api/feed'
const REFUSED = { status: 400, json: { error: 'Invalid cursor' } }
const FORBIDDEN = { status: 403, json: { error: 'Your plan does not include this' } }

type Vendor = (call: StandInCall, nowMs: number) => StandInReply
type Played = { v1: Vendor; earlier?: Vendor }

/** The reader on a vendor over HTTP, for three minutes by a clock that its pauses move. */
async function readOn(database: OpenDatabase, { v1, earlier = () => FORBIDDEN }: Played) {
  const { standIn, clock, upstream } = await startGoverned(database)
  const requestedAtMs: number[] = []
  const play = (path: string, vendor: Vendor) =>
    standIn.play(path, (call) => {
      requestedAtMs.push(clock.elapsedMs())
      return vendor(call, clock.nowMs())
    })
  play(THREATS, v1)
  play(FEED, earlier)
  const over = Promise.withResolvers<void>()
  const reader = startSync({
    database,
    upstream,
    clock,
    log: createLog(() => {}),
    source: SOURCE,
    history: { days: 30, records: 300_000 },
    async pause(ms, signal) {
      clock.wait(ms)
      if (clock.elapsedMs() < THREE_MINUTES_MS) return
      over.resolve()
      await once(signal, 'abort')
    },
  })
  await over.promise
  await reader.close()
  return {
    state: await createThreatStore({ limits: USUAL_HISTORY, database, clock, source: SOURCE }).state(),
    inFirstMinute: requestedAtMs.filter((at) => at < MINUTE_MS).length,
    inAll: requestedAtMs.length,
  }
}

/** A page of the list of a vendor that has a record every so often, newest first. */
function pageAt(nowMs: number, cursor: string | null, everyMs = MINUTE_MS) {
  const newest = Math.floor(nowMs / everyMs)
  const records = Array.from({ length: 100 }, (_, at) =>
    v1Record({ id: `thr_${newest - at}`, published_at: new Date((newest - at) * everyMs).toISOString() }),
  )
  return { json: v1List(records, { cursor }) }
}

/** Starts a vendor that answers the first page, and every further one as the test sets. */
const thenAt =
  (further: (nowMs: number) => StandInReply, everyMs?: number): Vendor =>
  ({ query }, nowMs) =>
    query.cursor ? further(nowMs) : pageAt(nowMs, 'next', everyMs)

// Two crawls that fail try 5 times each in the first minute, with 2 calls; a look every 15 seconds may take 2 as well.
const FIRST_MINUTE_MAX = 2 * 5 * 2
const ALL_MAX = 3 * 4 * 2 + FIRST_MINUTE_MAX

test('a vendor that refuses its cursor gets ever fewer requests; new records and a message appear', {
  timeout: TIMEOUT_MS,
}, async ({ annotate }) => {
  const database = await takeDatabase('bff')
  const { state, inFirstMinute, inAll } = await readOn(database, { v1: thenAt(() => REFUSED) })
  await annotate(`${inFirstMinute} calls in the first minute, ${inAll} in three`)
  expect(inFirstMinute).toBeLessThanOrEqual(FIRST_MINUTE_MAX)
  expect(inAll).toBeLessThanOrEqual(ALL_MAX)
  expect(state.status).toBe('filling')
  expect(state.trouble).toBe(
    'The vendor refuses the next page of its own list, so older threats are missing. New ones are still read and shown, and the rest is tried again by itself.',
  )
  // Each minute brings one more.
  expect(state.threats).toBeGreaterThanOrEqual(102)
})

let fresh = 0

test.each<[string, Played, RegExp | null]>([
  [
    'refuses a further page of what is new',
    { v1: thenAt(() => REFUSED, 100) },
    /between the newest and those read before may be missing/,
  ],
  ['forbids every further page', { v1: thenAt(() => FORBIDDEN, 100) }, null],
  [
    'refuses the bound of the list',
    { v1: ({ query }, nowMs) => (query.since ? REFUSED : pageAt(nowMs, null)) },
    /refuses the request for its list/,
  ],
  [
    'answers a further page with what is no list',
    { v1: thenAt(() => ({ json: { ok: true } })) },
    /cannot be read/,
  ],
  [
    'answers a further page with what is no JSON',
    { v1: thenAt(() => ({ raw: '<h1>Sorry</h1>' })) },
    /web page|cannot be reached/,
  ],
  [
    'gives an empty page and its own cursor',
    { v1: thenAt(() => ({ json: v1List([], { cursor: 'next' }) })) },
    null,
  ],
  [
    'gives the same page under ever new cursors',
    {
      v1: (_, nowMs) => {
        fresh += 1
        return pageAt(nowMs, `cursor ${fresh}`, 60 * MINUTE_MS)
      },
    },
    null,
  ],
  [
    'gives the same page at every offset',
    {
      v1: () => FORBIDDEN,
      earlier: (_, nowMs) => {
        const threats = Array.from({ length: 100 }, (_record, at) =>
          earlierRecord({
            id: `thr_${at}`,
            posted_at: new Date(nowMs - at * 1_000 - MINUTE_MS).toISOString(),
          }),
        )
        return { json: { threats, pagination: { total: 9_999, limit: 100, offset: 0, has_more: true } } }
      },
    },
    null,
  ],
])(
  'a vendor that %s gets no more requests than others',
  { timeout: TIMEOUT_MS },
  async (_, vendor, trouble) => {
    const { state, inFirstMinute, inAll } = await readOn(await takeDatabase('bff'), vendor)
    expect(inFirstMinute).toBeLessThanOrEqual(FIRST_MINUTE_MAX)
    expect(inAll).toBeLessThanOrEqual(ALL_MAX)
    if (trouble) expect(state.trouble).toMatch(trouble)
    else expect(state.trouble).toBeNull()
  },
)

test('a page that cannot be stored is requested less and less often', { timeout: TIMEOUT_MS }, async () => {
  const database = await takeDatabase('bff')
  await database.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$;
    create trigger refuse before insert on window_threat
      for each row when (new.id = 'thr_last') execute function refuse()`)
  const { state, inFirstMinute, inAll } = await readOn(database, {
    v1: thenAt((nowMs) => ({
      json: v1List([v1Record({ id: 'thr_last', published_at: new Date(nowMs - 86_400_000).toISOString() })]),
    })),
  })
  expect(inFirstMinute).toBeLessThanOrEqual(FIRST_MINUTE_MAX)
  expect(inAll).toBeLessThanOrEqual(ALL_MAX)
  expect(state.trouble).toContain('could not keep what it read last')
})

test('a crawl that continues after refusals no longer reports trouble', { timeout: TIMEOUT_MS }, async () => {
  let refusals = 0
  const { state } = await readOn(await takeDatabase('bff'), {
    v1: thenAt((nowMs) => {
      refusals += 1
      const last = v1Record({ id: 'thr_last', published_at: new Date(nowMs - 86_400_000).toISOString() })
      return refusals < 4 ? REFUSED : { json: v1List([last]) }
    }),
  })
  expect(state).toMatchObject({ status: 'complete', trouble: null })
})
