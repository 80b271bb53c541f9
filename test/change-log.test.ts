import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type LiveEvent, liveEventSchema } from '#contract/bff/live.ts'
import { newThreatsSchema, threatListSchema } from '#contract/bff/threat-list.ts'
import type { Database } from '#database/database.ts'
import { importFiles } from '#service/import/import-files.ts'
import { startOwnService } from './support/start-own-service.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { readChangeLog } from './support/store/read-change-log.ts'
import { takeDatabase } from './support/with-database.ts'

const SHOWN_MAX_MS = 20_000

type Process = Awaited<ReturnType<typeof startSignedIn>>

async function importRecords(database: Database, name: string, count: number, hoursAgo: number) {
  const file = join(await mkdtemp(join(tmpdir(), 'lantern-import-')), `${name}.ndjson`)
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      source: 'test',
      source_id: `${name}-${at}`,
      category: 'Ransomware',
      victim: `Victim ${name} ${at}`,
      published: new Date(Date.now() - (hoursAgo + at) * 3_600_000).toISOString(),
      country: 'DE',
    }),
  )
  await writeFile(file, lines.join('\n'))
  const quiet = { onBadLine() {}, onDemoRemoved() {}, onProgress() {} }
  const common = { folder: '/', now: new Date(), shiftsToNow: false, keepsDemo: false }
  await importFiles(database, { files: [file], ...common, ...quiet })
}

/** The live events of a page from its connection on. */
async function openPage({ ask }: Process, query = '') {
  const heard: LiveEvent[] = []
  const reader = (await ask(`/bff/live${query}`)).body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => {
    for (let text = ''; ; ) {
      const { value, done } = (await reader?.read()) ?? { value: '', done: true }
      if (done) return
      const events = (text + value).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (data) heard.push(liveEventSchema.parse(JSON.parse(data)))
      }
    }
  }
  read().catch(() => {})
  return { heard, leave: () => reader?.cancel() }
}

/** What a page is told of the log when it connects; the bell may ring before it. */
function positionIn(heard: readonly LiveEvent[]) {
  return heard.find(({ kind }) => kind === 'position')
}

async function readList({ ask }: Process) {
  const { total, freshness } = threatListSchema.parse(await (await ask('/bff/threats')).json())
  return { total, change: freshness.change ?? 0 }
}

async function countNew({ ask }: Process, query: string) {
  return newThreatsSchema.parse(await (await ask(`/bff/new-threats?${query}`)).json()).newThreats
}

test('a disconnected page receives missed changes from another process and after a restart', {
  timeout: 120_000,
}, async () => {
  const service = await startOwnService({ earlierPlan: 'enterprise', v1Plan: 'defend' })
  await importRecords(service.database, 'first', 30, 2)
  const database = await takeDatabase('bff')
  const upstream = { url: service.url, apiKey: service.apiKey, kind: 'embedded' } as const
  const [first, second] = [
    await startSignedIn(database, { upstream }),
    await startSignedIn(database, { upstream }),
  ]
  const total = (process: Process) => async () => (await readList(process)).total
  await expect.poll(total(second), { timeout: SHOWN_MAX_MS }).toBe(30)
  // What was read at the first fill is no news to anybody.
  expect(await countNew(first, 'after=0')).toBe(0)

  const { change } = await readList(second)
  const page = await openPage(first)
  await expect.poll(() => positionIn(page.heard)).toEqual({ kind: 'position', last: change, isAnew: false })
  await importRecords(service.database, 'second', 1, 0)
  await expect
    .poll(() => page.heard.filter(({ kind }) => kind === 'window').at(-1), { timeout: SHOWN_MAX_MS })
    .toMatchObject({ last: change + 1 })
  await page.leave()
  expect(await countNew(second, `after=${change}&country=DE`)).toBe(1)
  expect(await countNew(second, `after=${change}&country=FR`)).toBe(0)
  expect(await countNew(second, `after=${change + 1}`)).toBe(0)

  await importRecords(service.database, 'third', 1, 0)
  await expect.poll(total(second), { timeout: SHOWN_MAX_MS }).toBe(32)
  const elsewhere = await openPage(second, `?after=${change + 1}`)
  const position = { kind: 'position', last: change + 2, isAnew: false }
  await expect.poll(() => positionIn(elsewhere.heard)).toEqual(position)
  await first.close()
  await second.close()
  const restarted = await startSignedIn(database, { upstream })
  const again = await openPage(restarted, `?after=${change}`)
  await expect.poll(() => positionIn(again.heard)).toEqual(position)
  expect((await readList(restarted)).change).toBe(change + 2)
  expect((await readChangeLog(database)).slice(-2).map((line) => line.split(' ').at(-1))).toEqual([
    'live',
    'live',
  ])

  await database.query(`delete from threat_change where number <= $1`, [change + 1])
  const late = await openPage(restarted, `?after=${change}`)
  await expect.poll(() => positionIn(late.heard)).toEqual({ ...position, isAnew: true })
})
