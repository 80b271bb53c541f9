import { expect, test } from 'vitest'
import { ReadCache } from '#bff/upstream/cache/read-cache.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { type StandInUpstream, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import {
  createClient,
  createVirtualClock,
  NOON_MS,
  personOf,
  type VirtualClock,
} from '#test/support/start-governed.ts'
import { withDatabase } from '#test/support/with-database.ts'
import { UpstreamError } from './upstream-error.ts'

const COUNTRY = '/api/v1/countries/DE'

/** A process, as far as it reads one country. */
function startProcess(database: Database, standIn: StandInUpstream, clock: VirtualClock) {
  const { upstream } = createClient(database, standIn, clock)
  const cache = new ReadCache<unknown>({
    clock,
    generation: upstream.generation,
    maxBytes: 1e6,
    isShared: true,
    freshForMs: () => 10 * MINUTE_MS,
  })
  return async (session = 's-1') => {
    const caller = personOf(session)
    const request = { caller, isRefresh: false, signal: new AbortController().signal }
    return cache.read('DE', (caller) => upstream.call('readCountry', { country: 'DE' }, caller), request)
  }
}

async function startTwo(database: Database) {
  const standIn = await startStandInUpstream()
  const clock = createVirtualClock()
  let answers = 0
  standIn.play(COUNTRY, async () => {
    answers += 1
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { json: { answer: answers, hostile: '</script>\u0000\u202e\ud800' } }
  })
  const start = () => startProcess(database, standIn, clock)
  return { standIn, clock, start, first: start(), second: start() }
}

test(
  'a hundred readers in two processes cost one call',
  withDatabase('bff', async (database) => {
    const { standIn, first, second } = await startTwo(database)
    const cachedAnswers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (at % 2 ? first : second)(`s-${at}`)),
    )
    expect(standIn.calls).toHaveLength(1)
    expect(new Set(cachedAnswers.map(({ value }) => JSON.stringify(value))).size).toBe(1)
    expect(cachedAnswers.every(({ fetchedAtMs }) => fetchedAtMs === NOON_MS)).toBe(true)
  }),
)

test(
  'an answer that another process stores just before the claim is used, and the claim given up',
  withDatabase('bff', async (database) => {
    const { standIn, clock, first } = await startTwo(database)
    let isBefore = true
    const late: Database = {
      ...database,
      async query(text, values) {
        if (isBefore && text.includes('insert into stored_answer')) {
          isBefore = false
          await first()
        }
        return database.query(text, values)
      },
    }
    expect(await startProcess(late, standIn, clock)()).toMatchObject({ value: { answer: 1 } })
    expect(standIn.calls).toHaveLength(1)
    expect((await database.query('select from stored_answer where asked_by is not null')).rowCount).toBe(0)
  }),
)

test(
  'an answer stored by another process keeps its age, and is refreshed when it is old',
  withDatabase('bff', async (database) => {
    const { standIn, clock, start, first, second } = await startTwo(database)
    await first()
    clock.wait(9 * MINUTE_MS)
    expect(await second()).toMatchObject({ fetchedAtMs: NOON_MS, freshForMs: MINUTE_MS, staleReason: null })
    clock.wait(2 * MINUTE_MS)
    expect(await start()()).toMatchObject({ value: { answer: 2 }, fetchedAtMs: NOON_MS + 11 * MINUTE_MS })
    expect(await second()).toMatchObject({ value: { answer: 2 } })
    expect(standIn.calls).toHaveLength(2)
  }),
)

test(
  'after a restart, stored answers replace those of an unreachable vendor for a day, labelled',
  withDatabase('bff', async (database) => {
    const { standIn, clock, start, first } = await startTwo(database)
    await first()
    standIn.play(COUNTRY, { act: (response) => response.destroy() })
    clock.wait(3 * HOUR_MS)
    const { value, fetchedAtMs, staleReason } = await start()()
    expect(value).toMatchObject({ answer: 1, hostile: '</script>\u0000\u202e\ud800' })
    expect([fetchedAtMs, staleReason]).toEqual([NOON_MS, 'The vendor cannot be reached or failed.'])
    clock.wait(22 * HOUR_MS)
    await expect(start()()).rejects.toThrow(UpstreamError)
  }),
)

test(
  'an answer that the vendor deleted is removed for every process',
  withDatabase('bff', async (database) => {
    const { standIn, clock, start, first } = await startTwo(database)
    await first()
    standIn.play(COUNTRY, { status: 404, json: { error: 'Not found' } })
    clock.wait(HOUR_MS)
    await expect(first()).rejects.toThrow('not_found')
    await expect(start()()).rejects.toThrow('not_found')
    expect((await database.query('select from stored_answer where answer is not null')).rowCount).toBe(0)
  }),
)

test(
  'what one plan has read is not shown under another',
  withDatabase('bff', async (database) => {
    const { standIn, clock, start, first } = await startTwo(database)
    await first()
    const rates = { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': '60' }
    standIn.play(COUNTRY, { headers: rates, json: { answer: 'of five a minute' } })
    clock.wait(HOUR_MS)
    await first()
    standIn.play(COUNTRY, { headers: { ...rates, 'x-ratelimit-limit': '10' }, json: { answer: 'of ten' } })
    clock.wait(HOUR_MS)
    await first()
    standIn.play(COUNTRY, { act: (response) => response.destroy() })
    await expect(start()()).rejects.toThrow('unavailable')
  }),
)
