import type { Browser, CDPSession, Page } from '@playwright/test'
import { readReach, writeReach } from '#bff/window/reach.ts'
import { nextRevision, placeThreats, storeThreats } from '#bff/window/store-threats.ts'
import { WINDOW_CHANGED_CHANNEL } from '#bff/window/window-listener.ts'
import { joinEmbedded } from '#database/embedded/start-embedded.ts'
import { openDatabase } from '#database/open-database.ts'
import { Random } from '../test/support/random.ts'
import type { MeasuredLantern } from './measured-lantern.ts'
import { openContext } from './measured-pages.ts'
import { measureInteractions } from './page-interactions.ts'
import { verdict } from './verdict.ts'
import { makeThreats } from './window-records.ts'

const ROWS = 100_000
const BATCH = 2_000
const DAY_MS = 86_400_000
const SCROLL_STEPS = 400
const SCROLL_PIXELS = 700

/** A feed of 100,000 rows: what scrolling blocks and holds, and how long after a press the next paint comes. */
export async function measureFeedPage(browser: Browser, lantern: MeasuredLantern): Promise<void> {
  await fillWindow(lantern)
  const context = await openContext(browser, lantern)
  const page = await context.newPage()
  await page.addInitScript(() => {
    const tasks: number[] = []
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask',
    })
    Object.assign(window, { longTasks: tasks })
  })
  await page.goto(`${lantern.url}/threats`)
  const status = page.getByText(/^(about )?[\d,]+ threats$/)
  await status.waitFor()
  console.log(`\nThe feed's page with ${await status.innerText()}`)
  const session = await context.newCDPSession(page)
  await measureScrolling(page, session)
  await measureInteractions(page, session)
  await context.close()
}

async function measureScrolling(page: Page, session: CDPSession): Promise<void> {
  const before = await heldBy(session)
  await page.evaluate(() => Reflect.get(window, 'longTasks').splice(0))
  await page.mouse.move(700, 600)
  for (let step = 0; step < SCROLL_STEPS; step += 1) {
    await page.mouse.wheel(0, SCROLL_PIXELS)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  const longest: number[] = await page.evaluate(() => Reflect.get(window, 'longTasks'))
  const place = await page.evaluate(() => Math.round(scrollY))
  const after = await heldBy(session)
  console.log(
    `  scrolling   ${longest.length} tasks over 50 ms${longest.length > 0 ? ` (${Math.round(Math.max(...longest))} ms the longest)` : ''} over ${place.toLocaleString('en')} pixels; target 0: ${verdict(longest.length === 0)}`,
  )
  console.log(
    `  memory      ${before.megabytes} MB before, ${after.megabytes} MB after; ${after.nodes.toLocaleString('en')} nodes`,
  )
}

/** What stays after a collection of garbage. */
async function heldBy(session: CDPSession): Promise<{ megabytes: string; nodes: number }> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  const figure = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return { megabytes: (figure('JSHeapUsedSize') / 1e6).toFixed(1), nodes: figure('Nodes') }
}

/** Puts records behind those that the reader has read, and tells the running process. */
async function fillWindow({ dataDir }: MeasuredLantern): Promise<void> {
  const embedded = await joinEmbedded(dataDir)
  const database = await openDatabase({ url: embedded.url('lantern_bff'), statementTimeoutMs: 0 })
  try {
    const reach = await readReach(database)
    if (!reach) throw new Error('The window is empty')
    const { rows } = await database.query('select id from window_threat')
    const newest = Date.now() - DAY_MS
    const threats = makeThreats(ROWS - rows.length, new Random(11), newest)
    for (let at = 0; at < threats.length; at += BATCH) {
      const batch = threats.slice(at, at + BATCH)
      await storeThreats(database, placeThreats(batch, reach.heldTo))
    }
    const heldFrom = threats.at(-1)?.publishedAt ?? reach.heldFrom
    await writeReach(database, { ...reach, heldFrom, revision: await nextRevision(database) })
    await database.query('select pg_notify($1, $2)', [WINDOW_CHANGED_CHANNEL, ''])
  } finally {
    await database.close()
    await embedded.stop()
  }
}
