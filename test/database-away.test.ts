import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { DATABASE_AWAY } from '#bff/http/recall-answer.ts'
import { freshnessSchema } from '#contract/bff/freshness.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { openDatabase } from '#database/open-database.ts'
import { readProblem } from './support/ask-bff.ts'
import { openTunnel } from './support/open-tunnel.ts'
import { startStandInUpstream } from './support/stand-in-upstream.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { v1Detail, v1List, v1Record } from './support/upstream-records.ts'
import { databaseUrl, takeDatabase } from './support/with-database.ts'

const BACK_WITHIN_MS = 5_000
/** What is counted from the window is kept for 15 seconds. */
const LABELLED_WITHIN_MS = 20_000
const DETAIL = '/bff/threats/thr_1?set=v1'
const PAGES = ['/bff/threats', '/bff/actors', '/bff/countries/DE', '/bff/overview']

const answerSchema = z.object({ freshness: freshnessSchema })

/** A process whose way to the database can be cut, and a vendor that counts its calls. */
async function startCuttable() {
  const database = await takeDatabase('bff')
  const { rows } = await database.query('select current_database() as name')
  const url = new URL(databaseUrl(z.object({ name: z.string() }).parse(rows[0]).name))
  const tunnel = await openTunnel({ host: url.hostname, port: Number(url.port) })
  onTestFinished(() => tunnel.cut())
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
  const bff = await startSignedIn(through, { upstream })
  return { ...bff, tunnel, standIn }
}

test('while the database is away pages stay, labelled, nothing is spent, and all goes on within 5 s', {
  timeout: 90_000,
}, async ({ annotate }) => {
  const { ask, logged, tunnel, standIn } = await startCuttable()
  const statusOf = async (path: string) => (await ask(path)).status
  const freshnessOf = async (path: string) => answerSchema.parse(await (await ask(path)).json()).freshness
  const windowStatus = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).window.status
  await expect.poll(windowStatus, { timeout: 10_000 }).toBe('complete')
  for (const path of PAGES) expect(await freshnessOf(path), path).toMatchObject({ isStale: false })
  expect(await statusOf(DETAIL)).toBe(200)
  const spent = standIn.calls.length

  await tunnel.cut()
  for (const path of PAGES) {
    await expect
      .poll(() => freshnessOf(path), { timeout: LABELLED_WITHIN_MS, message: path })
      .toMatchObject({ isStale: true, staleReason: DATABASE_AWAY })
  }
  expect(await windowStatus()).toBe('complete')
  expect(await statusOf(DETAIL)).toBe(200)
  expect(await statusOf('/healthz')).toBe(200)
  expect(await statusOf('/readyz')).toBe(503)
  // A filter that was not used before, and what only the source knows: refused in words, without a call.
  expect((await readProblem(await ask('/bff/threats?q=northwind'))).title).toContain('database is away')
  expect(await readProblem(await ask('/bff/threats/thr_2?set=v1'))).toMatchObject({ status: 503 })
  expect(standIn.calls.length).toBe(spent)

  await tunnel.restore()
  const restoredMs = performance.now()
  await expect.poll(() => statusOf('/readyz'), { timeout: BACK_WITHIN_MS, interval: 20 }).toBe(200)
  for (const path of PAGES) {
    await expect
      .poll(() => freshnessOf(path), { timeout: BACK_WITHIN_MS, message: path, interval: 20 })
      .toMatchObject({ isStale: false })
  }
  const readers = () => logged.filter((line) => line.includes('window-reader-elected')).length
  await expect.poll(readers, { timeout: BACK_WITHIN_MS }).toBe(2)
  const backMs = Math.round(performance.now() - restoredMs)
  await annotate(`Everything went on after ${backMs} ms`)
  expect(backMs).toBeLessThan(BACK_WITHIN_MS)
})
