import { expect, test } from 'vitest'
import { storedThreatAnswerSchema, threatAnswerSchema } from '#contract/bff/threat-list.ts'
import { readProblem } from '#test/support/ask-bff.ts'
import type { StandInReply } from '#test/support/stand-in-upstream.ts'
import { startFilled } from '#test/support/store/start-filled.ts'
import { earlierDetail, earlierList, v1Detail, v1Record } from '#test/support/upstream-records.ts'
import { withDatabase } from '#test/support/with-database.ts'

/** Nothing ends by time. */
const LONG = { connectMs: 60_000, headersMs: 60_000, idleMs: 60_000, totalMs: 60_000 }
const SHORT = { connectMs: 500, headersMs: 500, idleMs: 500, totalMs: 900 }
const V1 = '/api/v1/threats/thr_1'
const EARLIER = '/api/feed/thr_1'
const GIVEN: StandInReply = { json: { data: v1Detail({ source_url: null }) } }
const HANGS: StandInReply = { act() {} }
const DOWN: StandInReply = { status: 503, json: { error: 'Down' } }
const NO_PLAN: StandInReply = { status: 403, json: { error: 'Outside your plan' } }
const NOT_FOUND: StandInReply = { status: 404, json: { error: 'Not found' } }
const BAD_ID: StandInReply = { status: 400, json: { error: 'Invalid id' } }
const WAIT: StandInReply = { status: 429, headers: { 'retry-after': '40' }, json: { error: 'Slow down' } }

type Vendor = { v1: StandInReply; earlier: StandInReply; feed?: StandInReply; timeouts?: typeof LONG }

/** Reads the one stored record. */
async function readWith(
  { feed = NOT_FOUND, timeouts = LONG, ...replies }: Vendor,
  run: (read: (path: string) => Promise<Response>) => Promise<void>,
): Promise<void> {
  const test = withDatabase('bff', async (database) => {
    const records = [v1Record({ published_at: new Date().toISOString() })]
    const also = { '/api/feed': feed, [V1]: replies.v1, [EARLIER]: replies.earlier }
    const { ask, close } = await startFilled(database, { records, timeouts, also })
    try {
      await run((path) => ask(path))
    } finally {
      await close()
    }
  })
  await test()
}

test.each([
  ['hangs', HANGS, HANGS, 'unavailable', 'the vendor took too long to answer', true],
  ['is down', DOWN, DOWN, 'unavailable', 'the vendor cannot be reached or failed', true],
  ['asks to wait', WAIT, WAIT, 'unavailable', 'no call may be made at this moment', true],
  [
    'has it outside the plan',
    NO_PLAN,
    NO_PLAN,
    'unavailable',
    'your plan does not include the details of',
    false,
  ],
  ['does not take the id', BAD_ID, BAD_ID, 'unavailable', 'the vendor does not accept its id', false],
  ['has it no more', NOT_FOUND, NOT_FOUND, 'gone', 'the vendor does not have this record any more', true],
] as const)(
  'while the vendor %s, the stored record is answered with the reason',
  async (_, v1, earlier, state, because, isStale) => {
    await readWith({ v1, earlier, timeouts: v1 === HANGS ? SHORT : LONG }, async (read) => {
      const answer = threatAnswerSchema.parse(await (await read('/bff/threats/thr_1')).json())
      expect(answer.threat).toMatchObject({ title: 'Northwind Foods - 80 GB', content: null, records: [] })
      expect(answer.missing).toEqual({ state, because: expect.stringContaining(because) })
      expect(answer.freshness.isStale).toBe(isStale)
    })
  },
)

test('reports a record as deleted only if the API that listed it answers 404', async () => {
  await readWith({ v1: DOWN, earlier: NOT_FOUND }, async (read) => {
    const { missing } = threatAnswerSchema.parse(await (await read('/bff/threats/thr_1')).json())
    expect(missing?.state).toBe('unavailable')
  })
})

test.each([
  ['is down', DOWN, { json: earlierList([]) }, 'the vendor cannot be reached or failed'],
  ['is not in the plan', NO_PLAN, NO_PLAN, 'your plan does not include'],
] as const)(
  'where one API %s, what the other gave is answered, and why there may be more',
  async (_, earlier, feed, words) => {
    // The sync may request the list first: one that answers 404 is no API.
    await readWith({ v1: GIVEN, earlier, feed }, async (read) => {
      for (const _ of ['at first', 'and again']) {
        const { threat, missing } = threatAnswerSchema.parse(await (await read('/bff/threats/thr_1')).json())
        expect(threat.records.map(({ set }) => set)).toEqual(['v1'])
        expect(missing?.because).toContain(words)
      }
    })
  },
)

test('reports no missing part once both APIs have answered', async () => {
  // The sync asks for the earlier API's list beside it: one that answers 404 is no API.
  for (const earlier of [NOT_FOUND, { json: earlierDetail() }])
    await readWith({ v1: GIVEN, earlier, feed: { json: earlierList([]) } }, async (read) => {
      const answer = threatAnswerSchema.parse(await (await read('/bff/threats/thr_1')).json())
      expect(answer.missing).toBeUndefined()
    })
})

test('returns the stored threat while the vendor hangs, or null if there is none', async () => {
  const ends: (() => void)[] = []
  const held: StandInReply = { act: (response) => ends.push(() => response.destroy()) }
  await readWith({ v1: held, earlier: held }, async (read) => {
    let isRead = false
    const details = read('/bff/threats/thr_1').finally(() => {
      isRead = true
    })
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    const stored = storedThreatAnswerSchema.parse(await (await read('/bff/threats/thr_1/stored')).json())
    expect(isRead).toBe(false)
    expect(stored).toMatchObject({ threat: { id: 'thr_1' }, missing: { state: 'reading' } })
    expect(await (await read('/bff/threats/thr_2/stored')).json()).toBeNull()
    const release = setInterval(() => {
      for (const end of ends.splice(0)) end()
    }, 50)
    await details
    clearInterval(release)
  })
})

test('a record that no list has is not found, as before', async () => {
  await readWith({ v1: NOT_FOUND, earlier: NOT_FOUND }, async (read) => {
    expect(await readProblem(await read('/bff/threats/thr_9'))).toMatchObject({ code: 'not_found' })
  })
})
