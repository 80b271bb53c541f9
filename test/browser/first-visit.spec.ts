import type { Browser, Cookie, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { type AppPage, findPages } from '../support/app-pages.ts'
import { test } from '../support/browser-test.ts'

/** Of script, in bytes of brotli, before the page can be used. Names of files alone make it vary by some 150. */
// The search line is a file of its own since the builder of alert profiles has it, too: that costs the feed 700 bytes. Three
// pages of lists, what each row says of them, and the filter cost 900. What actors and countries say of lists, and the way to the
// welcome page, cost 500. Cases in rows, their owners, and Mine cost 900.
// What is due and overdue, in rows, filters and orders, costs 500. News of cases, and cases beside claims, cost 1,000.
// A page that cannot be had, and whose load a resting pointer had begun, says so: that costs 120.
const BUDGET_BYTES = 151_000
const CHARTS_BUDGET_BYTES = 228_700
/** Over HTTP/1.1, a browser fetches six files at a time, and each waits for a round trip. A threat with all parts has 30. */
const FILES_MAX_COUNT = 32
const QUIET_MS = 500
/** Most of a visit is to wait until nothing more comes. */
const AT_ONCE = 3
const TIMEOUT_MS = 180_000

type Script = { name: string; bytes: number; encoding: string | null }
type Visit = AppPage & { scripts: Script[]; whenIdle: Script[] }

test('a first visit to any page brings no more script than its budget', async ({
  browser,
  lantern,
  session,
  request,
}) => {
  test.setTimeout(TIMEOUT_MS)
  const cookie = session.map(({ name, value }) => `${name}=${value}`).join('; ')
  const pages = await findPages(async (path) =>
    (await request.get(path, { headers: { 'x-lantern': '1', cookie } })).json(),
  )
  const visits: Visit[] = []
  for (let at = 0; at < pages.length; at += AT_ONCE) {
    const some = pages.slice(at, at + AT_ONCE)
    visits.push(
      ...(await Promise.all(some.map((page) => visit(browser, { url: lantern.url, session }, page)))),
    )
  }
  print(visits)

  expect(
    visits
      .flatMap(({ scripts, whenIdle }) => [...scripts, ...whenIdle])
      .filter(({ encoding }) => encoding !== 'br'),
  ).toEqual([])
  expect(visits.filter((one) => sum(one.scripts) > budgetOf(one)).map(({ path }) => path)).toEqual([])
  expect(visits.filter(({ scripts }) => scripts.length > FILES_MAX_COUNT).map(({ path }) => path)).toEqual([])
  expect(visits.filter((one) => sum(one.whenIdle) > 0).length).toBeGreaterThan(0)
})

test('the page frame appears before the script has loaded, and does not move afterwards', async ({
  signedInPage: page,
}) => {
  const { promise: isDue, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await isDue
    await route.continue()
  })
  await page.goto('/threats', { waitUntil: 'commit' })
  const brand = page.getByText('Lantern', { exact: true })
  await expect(brand).toBeVisible()
  const before = await brand.boundingBox()

  release()
  await expect(page.getByRole('heading', { level: 1, name: 'Threats' })).toBeVisible()
  const after = await page.getByRole('link', { name: 'Lantern', exact: true }).boundingBox()
  expect([after?.x, after?.y]).toEqual([before?.x, before?.y])
})

/** As somebody whose browser has never been here, signed in. What the page leaves for idle moments waits until the rest is there. */
async function visit(
  browser: Browser,
  { url, session }: { url: string; session: Cookie[] },
  { path, hasCharts }: AppPage,
): Promise<Visit> {
  const context = await browser.newContext({ baseURL: url })
  await context.addCookies(session)
  await context.addInitScript(holdIdleCallbacks)
  const page = await context.newPage()
  const network = followNetwork(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await network.untilQuiet()
  const scripts = await network.takeScripts()
  await page.evaluate(() => Reflect.get(window, 'runDelayedIdleCallbacks')())
  await network.untilQuiet()
  const whenIdle = await network.takeScripts()
  await context.close()
  return { path, hasCharts, scripts, whenIdle }
}

function holdIdleCallbacks() {
  const delayed: IdleRequestCallback[] = []
  const original = window.requestIdleCallback
  window.requestIdleCallback = (run) => delayed.push(run)
  Object.assign(window, {
    runDelayedIdleCallbacks() {
      window.requestIdleCallback = original
      for (const run of delayed) original(run)
    },
  })
}

function followNetwork(page: Page) {
  const open = new Set<unknown>()
  const scripts: Promise<Script>[] = []
  let changedAt = Date.now()
  const end = (request: unknown) => {
    open.delete(request)
    changedAt = Date.now()
  }
  page.on('request', (request) => {
    changedAt = Date.now()
    const { protocol, pathname } = new URL(request.url())
    // Pictures that the page has already, of which no end is heard.
    if (protocol === 'blob:') return
    // The one that stays open for as long as the page does.
    if (pathname !== '/bff/live') open.add(request)
  })
  page.on('requestfailed', end)
  page.on('requestfinished', (request) => {
    end(request)
    if (request.resourceType() !== 'script') return
    const script = readScript(request)
    // What comes when nobody waits for it any more is cut off with the page.
    script.catch(() => {})
    scripts.push(script)
  })
  return {
    untilQuiet() {
      // What was just set off has yet to ask for anything.
      changedAt = Date.now()
      return expect
        .poll(() => open.size === 0 && Date.now() - changedAt > QUIET_MS, {
          intervals: [100],
          timeout: 30_000,
        })
        .toBe(true)
    },
    takeScripts: () => Promise.all(scripts.splice(0)),
  }
}

async function readScript(request: Awaited<ReturnType<Page['waitForRequest']>>): Promise<Script> {
  const [response, { responseBodySize }] = await Promise.all([request.response(), request.sizes()])
  return {
    name: new URL(request.url()).pathname,
    bytes: responseBodySize,
    encoding: (await response?.headerValue('content-encoding')) ?? null,
  }
}

function print(visits: readonly Visit[]): void {
  const padded = (bytes: number) => bytes.toLocaleString('en').padStart(8)
  console.log(
    'Script of a first visit in bytes of brotli: before use, its budget, what comes when idle, and files before use',
  )
  for (const one of visits) {
    const isOver = sum(one.scripts) > budgetOf(one) || one.scripts.length > FILES_MAX_COUNT
    console.log(
      `${padded(sum(one.scripts))} of${padded(budgetOf(one))}${padded(sum(one.whenIdle))}${padded(one.scripts.length)}  ${one.path}${isOver ? '  OVER' : ''}`,
    )
    const largest = isOver ? one.scripts.toSorted((a, b) => b.bytes - a.bytes) : []
    for (const { name, bytes } of largest) console.log(`  ${padded(bytes)}  ${name}`)
  }
}

function budgetOf({ hasCharts }: AppPage): number {
  return hasCharts ? CHARTS_BUDGET_BYTES : BUDGET_BYTES
}

function sum(scripts: readonly Script[]): number {
  return scripts.reduce((total, { bytes }) => total + bytes, 0)
}
