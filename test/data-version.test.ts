import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { actorListSchema } from '#contract/bff/actor.ts'
import { type LiveEvent, liveEventSchema } from '#contract/bff/live.ts'
import { metricsAnswerSchema } from '#contract/bff/metrics.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { DAY_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { seedDemo } from '#service/demo/seed-demo.ts'
import { importFiles } from '#service/import/import-files.ts'
import { startOwnService } from './support/start-own-service.ts'
import { startSignedIn } from './support/start-signed-in.ts'
import { takeDatabase } from './support/with-database.ts'

/** Far more than either takes, however busy the machine is. */
const RENEWED_MAX_MS = 60_000
const FILL_MAX_MS = 60_000
const QUIET_POLLS = 4
const RECORDS_COUNT = 120
const GROUPS = ['Paleharbour', 'Glassheron', 'Ninthtide']

type Process = Awaited<ReturnType<typeof startSignedIn>>

/** One record a day and group, the newest of an hour ago. */
async function importRecords(database: Database, name: string, count = RECORDS_COUNT) {
  const file = join(await mkdtemp(join(tmpdir(), 'lantern-import-')), `${name}.ndjson`)
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      source: 'test',
      source_id: `${name}-${at}`,
      category: 'Ransomware',
      group: GROUPS[at % GROUPS.length],
      victim: `Victim ${name} ${at}`,
      published: new Date(Date.now() - 3_600_000 - (at % 25) * DAY_MS).toISOString(),
      country: 'DE',
    }),
  )
  await writeFile(file, lines.join('\n'))
  const quiet = { onBadLine() {}, onDemoRemoved() {}, onProgress() {} }
  await importFiles(database, {
    files: [file],
    folder: '/',
    now: new Date(),
    shiftsToNow: false,
    keepsDemo: false,
    ...quiet,
  })
}

/** The events that an open page hears. */
async function openPage({ ask }: Process): Promise<LiveEvent[]> {
  const heard: LiveEvent[] = []
  const response = await ask('/bff/live')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
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
  return heard
}

async function readFigures({ ask }: Process) {
  const read = async (path: string) => (await ask(path)).json()
  const [actors, metrics, source, list] = await Promise.all([
    read('/bff/actors?timeZone=UTC'),
    read('/bff/metrics'),
    read('/bff/source'),
    read('/bff/threats'),
  ])
  return {
    actors: actorListSchema
      .parse(actors)
      .actors.map(({ name }) => name)
      .toSorted(),
    total: metricsAnswerSchema.parse(metrics).metrics.totalThreats,
    isDemo: sourceSchema.parse(source).isDemo,
    stored: threatListSchema.parse(list).total,
  }
}

test('after the first import nothing generated is left in any process, and open pages are notified', {
  timeout: 180_000,
}, async ({ annotate }) => {
  const service = await startOwnService({ earlierPlan: 'enterprise', v1Plan: 'defend' })
  const demoCount = await seedDemo(service.database, { now: new Date() })
  const database = await takeDatabase('bff')
  const upstream = { url: service.url, apiKey: service.apiKey, kind: 'embedded' } as const
  const processes = [await startSignedIn(database, { upstream }), await startSignedIn(database, { upstream })]
  const window = async () => {
    const [first] = processes
    return sourceSchema.parse(await (await first?.ask('/bff/source'))?.json()).window.status
  }
  await expect.poll(window, { timeout: FILL_MAX_MS, interval: 500 }).toBe('complete')
  const pages = await Promise.all(processes.map(openPage))
  for (const figures of await Promise.all(processes.map(readFigures))) {
    expect(figures).toMatchObject({ total: demoCount, isDemo: true })
  }

  await importRecords(service.database, 'first')
  const importedAtMs = performance.now()
  const imported = { actors: GROUPS.toSorted(), total: RECORDS_COUNT, isDemo: false, stored: RECORDS_COUNT }
  await expect
    .poll(() => Promise.all(processes.map(readFigures)), { timeout: RENEWED_MAX_MS, interval: 100 })
    .toEqual([imported, imported])
  await annotate(`Two processes showed it after ${Math.round(performance.now() - importedAtMs)} ms`)
  // A page is notified after answers have changed.
  for (const heard of pages) {
    const sum = (name: 'added' | 'removed') =>
      heard.reduce((total, { kind, change }) => total + ((kind === 'data' && change?.[name]) || 0), 0)
    await expect
      .poll(() => [sum('added'), sum('removed')], { timeout: RENEWED_MAX_MS })
      .toEqual([RECORDS_COUNT, demoCount])
    await expect
      .poll(() => heard, { timeout: RENEWED_MAX_MS })
      .toContainEqual(expect.objectContaining({ kind: 'window', isAnew: true }))
  }
})

test('a day of which our own service has nothing is zero on every chart, not unknown', {
  timeout: 120_000,
}, async () => {
  const service = await startOwnService({ earlierPlan: 'enterprise', v1Plan: 'defend' })
  await importRecords(service.database, 'gaps', 6)
  const upstream = { url: service.url, apiKey: service.apiKey, kind: 'embedded' } as const
  const { ask } = await startSignedIn(await takeDatabase('bff'), { upstream })
  const read = async (path: string) => (await ask(`${path}?timeZone=UTC`)).json()
  const status = async () => sourceSchema.parse(await (await ask('/bff/source')).json()).window.status
  await expect.poll(status, { timeout: FILL_MAX_MS, interval: 500 }).toBe('complete')

  for (const path of ['trends', 'overview', 'actors', `actors/${GROUPS[0]}`, 'countries', 'countries/DE']) {
    const days = coveredIn(await read(`/bff/${path}`))
    expect(days.length, path).toBeGreaterThan(0)
    expect(new Set(days.map(({ coverage }) => coverage)), path).toEqual(new Set(['whole', 'partial']))
    expect(
      days.filter(({ count }) => count === null),
      path,
    ).toEqual([])
  }
})

/** All in an answer that says how much of its time is stored. */
function coveredIn(value: unknown): { coverage: unknown; count: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const members = new Map(Object.entries(value))
  // How much of a whole answer's time is stored is an object of its own.
  const own =
    typeof members.get('coverage') === 'string'
      ? [{ coverage: members.get('coverage'), count: members.get('count') }]
      : []
  return [...own, ...[...members.values()].flatMap(coveredIn)]
}

test("requests lists from the team's own service only when its data version changes", {
  timeout: 180_000,
}, async ({ annotate }) => {
  const service = await startOwnService({ earlierPlan: 'none', v1Plan: 'protection' })
  await importRecords(service.database, 'old', 30)
  const upstream = { url: service.url, apiKey: service.apiKey, kind: 'vendor' } as const
  const bff = await startSignedIn(await takeDatabase('bff'), { upstream })
  const list = async () => threatListSchema.parse(await (await bff.ask('/bff/threats')).json())
  const total = async () => (await list()).total
  await expect.poll(list, { timeout: RENEWED_MAX_MS, interval: 500 }).toMatchObject({ total: 30 })
  const looks = () => service.paths.filter((path) => path === '/api/data-version').length
  await expect.poll(looks, { timeout: RENEWED_MAX_MS, interval: 500 }).toBeGreaterThan(0)
  const status = async () => sourceSchema.parse(await (await bff.ask('/bff/source')).json()).window.status
  await expect.poll(status, { timeout: RENEWED_MAX_MS, interval: 500 }).toBe('complete')

  // Whether the key reads older records, and profiles, from the earlier API is asked once, in the background.
  const ONCE = ['/api/feed', '/api/alert-profiles']
  const calls = () => service.paths.filter((path) => !ONCE.includes(path)).length - looks()
  const [callsBefore, looksBefore] = [calls(), looks()]
  await expect
    .poll(looks, { timeout: RENEWED_MAX_MS, interval: 500 })
    .toBeGreaterThan(looksBefore + QUIET_POLLS)
  expect(calls()).toBe(callsBefore)
  expect(service.paths.filter((path) => path === '/api/alert-profiles').length).toBeLessThanOrEqual(1)

  await importRecords(service.database, 'new', 12)
  const importedAtMs = performance.now()
  await expect.poll(total, { timeout: RENEWED_MAX_MS, interval: 100 }).toBe(42)
  await annotate(
    `Shown after ${Math.round(performance.now() - importedAtMs)} ms, for ${calls() - callsBefore} calls`,
  )
})
