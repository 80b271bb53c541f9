import { type CDPSession, chromium, type Page } from '@playwright/test'
import { nextRevision, placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { readSyncState, writeSyncState } from '#bff/store/sync/sync-state.ts'
import { COLUMNS } from '#contract/bff/arrangement.ts'
import { HOUR_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { APP_FOLDER, buildAppIfNeeded } from '#start/build-app.ts'
import { Random } from '#test/support/random.ts'
import playwrightConfig from '../playwright.config.ts'
import { verdict } from '../test/support/verdict.ts'
import { withBenchDatabase } from './bench-database.ts'
import { startCountingVendor } from './counting-vendor.ts'
import { startMeasuredBff } from './measured-bff.ts'
import { measureInteractions } from './page-interactions.ts'
import { makeThreats } from './window-records.ts'

const ROWS = 100_000
const BATCH = 2_000
const SCROLL_STEPS = 400
/** Pixels a frame. */
const SPEEDS = [
  { name: 'as fast as a wheel turns', pixels: 200 },
  { name: 'thrown by the scroll bar', pixels: 700 },
] as const

/** What a reader may have made of the list, as it stands in the address. */
const ARRANGEMENTS = [
  { name: 'newest first', search: '' },
  { name: 'by severity', search: '?sort=severity' },
  { name: 'by victim, in days', search: '?sort=victim&group=day' },
  { name: 'in 400 actors', search: '?group=actor' },
  {
    name: 'compact, all columns',
    search: `?density=compact${COLUMNS.map((column) => `&columns=${column}`).join('')}`,
  },
] as const

/** A feed of 100,000 rows: what scrolling blocks and holds, and how long after a press the next paint comes. */
export async function measureFeedPage(): Promise<void> {
  await buildAppIfNeeded()
  await withBenchDatabase('bff', async (database) => {
    const vendor = await startCountingVendor()
    // Filled between two starts: a reader at work would take what it does not know for outdated.
    await (await startMeasuredBff(database, vendor.url)).close()
    await fillStore(database)
    const lantern = await startMeasuredBff(database, vendor.url, APP_FOLDER)
    const browser = await chromium.launch(playwrightConfig.use?.launchOptions)
    try {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const [name = '', value = ''] = (await lantern.signIn()).split('=', 2)
      await context.addCookies([{ name, value, url: lantern.url }])
      await measureIn(await context.newPage(), lantern.url)
    } finally {
      await browser.close()
      await lantern.close()
      await vendor.close()
    }
  })
}

async function measureIn(page: Page, url: string): Promise<void> {
  await page.addInitScript(() => {
    const tasks: number[] = []
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
    })
    Object.assign(window, { longTasks: tasks })
  })
  const session = await page.context().newCDPSession(page)
  for (const { name, search } of ARRANGEMENTS) {
    await openFeed(page, `${url}/threats${search}`, name)
    for (const speed of SPEEDS) await measureScrolling(page, session, speed)
  }
  await openFeed(page, `${url}/threats`, 'newest first')
  await measureInteractions(page, session)
}

async function openFeed(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address)
  const status = page.getByRole('status').filter({ hasText: /^(about )?[\d,]+ cases(, [\d,]+ claims)?$/ })
  await status.waitFor()
  await page.getByRole('row').nth(5).waitFor()
  const tasks: number[] = await page.evaluate(() => Reflect.get(window, 'longTasks'))
  const longest = Math.round(Math.max(0, ...tasks))
  console.log(`\nThe feed's page with ${await status.innerText()}, ${name}`)
  console.log(
    `  opening: ${tasks.length} tasks over 50 ms${tasks.length > 0 ? ` (${longest} ms the longest)` : ''}`,
  )
}

async function measureScrolling(
  page: Page,
  session: CDPSession,
  { pixels, name }: (typeof SPEEDS)[number],
): Promise<void> {
  await page.evaluate(() => scrollTo({ top: 0 }))
  const before = await memoryOf(session)
  await page.evaluate(() => Reflect.get(window, 'longTasks').splice(0))
  await page.mouse.move(700, 600)
  for (let step = 0; step < SCROLL_STEPS; step += 1) {
    await page.mouse.wheel(0, pixels)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  const longest: number[] = await page.evaluate(() => Reflect.get(window, 'longTasks'))
  const scrolledTo = await page.evaluate(() => Math.round(scrollY))
  const after = await memoryOf(session)
  console.log(
    `  scrolling, ${name} (${pixels} pixels a frame)\n    blocked     ${longest.length} tasks over 50 ms${longest.length > 0 ? ` (${Math.round(Math.max(...longest))} ms the longest)` : ''} over ${scrolledTo.toLocaleString('en')} pixels; target 0: ${verdict(longest.length === 0)}`,
  )
  console.log(
    `    memory      ${before.megabytes} MB before, ${after.megabytes} MB after; ${after.nodes.toLocaleString('en')} nodes`,
  )
}

/** What stays after a collection of garbage. */
async function memoryOf(session: CDPSession): Promise<{ megabytes: string; nodes: number }> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  const figure = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return { megabytes: (figure('JSHeapUsedSize') / 1e6).toFixed(1), nodes: figure('Nodes') }
}

/** Puts records behind those that the reader has read. */
async function fillStore(database: Database): Promise<void> {
  const sync = await readSyncState(database)
  if (sync.status === 'empty') throw new Error('The window is empty')
  const { rowCount } = await database.query('select id from window_threat')
  const threats = makeThreats(ROWS - rowCount, new Random(11), Date.now() - HOUR_MS)
  for (let at = 0; at < threats.length; at += BATCH) {
    await storeThreats(database, placeThreats(threats.slice(at, at + BATCH), sync.storedTo))
  }
  const storedFrom = threats.at(-1)?.publishedAt ?? sync.storedFrom
  await writeSyncState(database, { ...sync, storedFrom, revision: await nextRevision(database) })
}
