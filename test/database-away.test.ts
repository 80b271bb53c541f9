import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { DATABASE_AWAY } from '#bff/http/problem-error.ts'
import type { BffOptions } from '#bff/start.ts'
import { freshnessSchema } from '#contract/bff/freshness.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { openDatabase } from '#database/open-database.ts'
import { readProblem } from './support/ask-bff.ts'
import { openTunnel } from './support/open-tunnel.ts'
import { startStandInUpstream } from './support/stand-in-upstream.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { v1Detail, v1List, v1Record } from './support/upstream-records.ts'
import { databaseUrl, takeDatabase } from './support/with-database.ts'

const RENAMED = { name: 'Ada Byron' }
const BACK_WITHIN_MS = 5_000
/** Less than a load balancer's patience, which is 2 seconds and more. */
const READY_WITHIN_MS = 2_000
/** What is counted from the window is kept for 15 seconds. */
const LABELLED_WITHIN_MS = 20_000
const DETAIL = '/bff/threats/thr_1?set=v1'
const PAGES = ['/bff/threats', '/bff/actors', '/bff/countries/DE', '/bff/overview']

const searchSchema = z.object({ total: z.int(), threats: z.array(z.unknown()), freshness: freshnessSchema })
const nameSchema = z.object({ name: z.string() })
const answerSchema = z.object({ freshness: freshnessSchema })

/** A process whose way to the database can be cut, and a vendor that counts its calls. */
async function startCuttable(options: Partial<BffOptions> = {}) {
  const database = await takeDatabase('bff')
  const { rows } = await database.query('select current_database() as name')
  const url = new URL(databaseUrl(nameSchema.parse(rows[0]).name))
  const tunnel = await openTunnel({ host: url.hostname, port: Number(url.port) })
  onTestFinished(() => tunnel.cut())
  const { name } = nameSchema.parse(rows[0])
  url.host = `127.0.0.1:${tunnel.port}`
  const through = await openDatabase({ url: url.href })
  onTestFinished(() => through.close())

  const standIn = await startStandInUpstream()
  const published_at = new Date(Date.now() - 60_000).toISOString()
  standIn.play('/api/v1/threats', { json: v1List([v1Record({ published_at })]) })
  standIn.play('/api/v1/threats/thr_1', { json: { data: v1Detail({ published_at }) } })
  standIn.play('/api/v1/threat-actors', { json: { data: [{ name: 'Ashfall', mentions: 3 }] } })
  standIn.play('/api/v1/countries/DE', { json: { data: { country: 'Germany', threats: 1 } } })
  const upstream = { url: standIn.url, apiKey: 'key-of-the-tests', kind: 'vendor' } as const
  const bff = await startSignedIn(through, { upstream, ...options })
  return { ...bff, tunnel, standIn, database, name }
}

test('while the database is down, pages stay, no call is spent, and work resumes within 5 s', {
  timeout: 90_000,
}, async ({ annotate }) => {
  const { ask, logged, tunnel, standIn } = await startCuttable()
  const statusOf = async (path: string) => (await ask(path)).status
  const freshnessOf = async (path: string) => answerSchema.parse(await (await ask(path)).json()).freshness
  const windowStatus = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).window.status
  await expect.poll(windowStatus, { interval: 500 }).toBe('complete')
  for (const path of PAGES) expect(await freshnessOf(path), path).toMatchObject({ isStale: false })
  expect(await statusOf(DETAIL)).toBe(200)
  // Older records are looked for once, in the background, before or after this moment.
  const countCalls = () => standIn.calls.filter(({ path }) => path !== '/api/feed').length
  const spent = countCalls()

  await tunnel.cut()
  for (const path of PAGES) {
    await expect
      .poll(() => freshnessOf(path), { timeout: LABELLED_WITHIN_MS, message: path })
      .toMatchObject({ isStale: true, staleReason: DATABASE_AWAY })
  }
  expect(await windowStatus()).toBe('complete')
  expect(await statusOf(DETAIL)).toBe(200)
  expect(await statusOf('/healthz')).toBe(200)
  // There is more to be read here than at a process that is taken out of service.
  expect(await statusOf('/readyz')).toBe(200)
  // Searches that nobody has made before.
  for (const [q, total] of [
    ['northwind', 1],
    ['nothing-like-it', 0],
  ] as const) {
    const found = searchSchema.parse(await (await ask(`/bff/threats?q=${q}`)).json())
    expect(found).toMatchObject({ total, freshness: { isStale: true, staleReason: DATABASE_AWAY } })
    expect(found.threats).toHaveLength(total)
  }
  // What only the vendor knows, and what is written: refused in words, without a call.
  expect(await readProblem(await ask('/bff/threats/thr_2?set=v1'))).toMatchObject({
    status: 503,
    code: 'database_unavailable',
  })
  const refused = await ask('/bff/profile', { method: 'PUT', body: RENAMED })
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(await readProblem(refused)).toMatchObject({ status: 503, code: 'database_unavailable' })
  expect(countCalls()).toBe(spent)
  expect(standIn.calls.length - spent).toBeLessThanOrEqual(1)

  await tunnel.restore()
  const restoredMs = performance.now()
  await expect.poll(() => statusOf('/readyz'), { timeout: BACK_WITHIN_MS, interval: 20 }).toBe(200)
  for (const path of PAGES) {
    await expect
      .poll(() => freshnessOf(path), { timeout: BACK_WITHIN_MS, message: path, interval: 20 })
      .toMatchObject({ isStale: false })
  }
  const readers = () => logged.filter((line) => line.includes('sync-elected')).length
  await expect.poll(readers, { timeout: BACK_WITHIN_MS }).toBe(2)
  const backMs = Math.round(performance.now() - restoredMs)
  await annotate(`Everything went on after ${backMs} ms`)
  expect(backMs).toBeLessThan(BACK_WITHIN_MS)
})

test('answers a readiness request at once while the database is silent', async () => {
  const { ask, tunnel } = await startCuttable()
  const windowStatus = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).window.status
  await expect.poll(windowStatus, { interval: 500 }).toBe('complete')
  expect((await ask('/bff/threats')).status).toBe(200)
  tunnel.freeze()
  const startedMs = performance.now()
  expect((await ask('/readyz')).status).toBe(200)
  expect(performance.now() - startedMs).toBeLessThan(READY_WITHIN_MS)
  await tunnel.cut()
})

test('a read-only database is reported to every user, and reads continue', {
  timeout: 90_000,
}, async () => {
  const metricsPort = await findFreePort()
  const { ask, database, name } = await startCuttable({ metricsPort })
  const source = async () => sourceSchema.parse(await (await ask('/bff/source')).json())
  const writable = async () =>
    /^lantern_database_writable (\d)$/m.exec(
      await (await fetch(`http://localhost:${metricsPort}/metrics`)).text(),
    )?.[1]
  await expect.poll(async () => (await source()).window.status, { interval: 500 }).toBe('complete')
  expect((await source()).trouble).toBeUndefined()
  expect(await writable()).toBe('1')

  const breakConnections = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`
  await database.query(`alter database ${name} set default_transaction_read_only = on`)
  await database.query(breakConnections, [name])
  await expect.poll(writable).toBe('0')
  const refused = await ask('/bff/profile', { method: 'PUT', body: RENAMED })
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(await readProblem(refused)).toMatchObject({
    status: 503,
    code: 'database_unavailable',
    title: "Lantern's own database takes no writes",
  })
  expect((await source()).trouble).toContain('it is read-only. An admin has to')
  for (const path of [...PAGES, '/bff/threats?q=northwind', '/readyz']) {
    expect((await ask(path)).status, path).toBe(200)
  }

  await database.query('set transaction_read_only = off')
  await database.query(`alter database ${name} reset default_transaction_read_only`)
  await database.query(breakConnections, [name])
  await expect.poll(async () => (await ask('/bff/profile', { method: 'PUT', body: RENAMED })).ok).toBe(true)
})
