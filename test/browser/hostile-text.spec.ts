import { expect, type Page } from '@playwright/test'
import { test as browserTest, signIn } from '../support/browser-test.ts'
import { HOSTILE_COUNT, hostileId, startHostileVendor } from '../support/hostile-vendor.ts'
import { type RunningLantern, startLantern } from '../support/start-lantern.ts'

/** The same Lantern, with a vendor that wishes it ill. */
const test = browserTest.extend<object, { lantern: RunningLantern }>({
  lantern: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern what a fixture needs
    async ({}, use) => {
      const vendor = await startHostileVendor()
      const lantern = await startLantern({
        settings: { UPSTREAM_URL: vendor.url, UPSTREAM_API_KEY: 'a-key' },
      })
      await use(lantern)
      await lantern.stop()
      await vendor.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

/** What must never happen: code that runs, a policy that is broken, a request to elsewhere. */
function watch(page: Page, home: string): string[] {
  const incidents: string[] = []
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => incidents.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) incidents.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'blob:' && origin !== home) incidents.push(`request: ${request.url()}`)
  })
  return incidents
}

/** Links that lead anywhere but into Lantern, and traces that injected code would leave. */
function findBreaches(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...[...document.links].flatMap(({ href, origin }) => (origin === location.origin ? [] : [href])),
    ...[...document.querySelectorAll('main script, main style, main iframe, main form, main object')].map(
      ({ outerHTML }) => outerHTML.slice(0, 200),
    ),
    ...('stolen' in window ? ['window.stolen'] : []),
  ])
}

test('no text of a hostile vendor runs, leads away or breaks the feed', async ({ page, lantern }) => {
  const incidents = watch(page, lantern.url)
  await signIn(page)
  const rows = page.getByRole('row').filter({ has: page.getByRole('checkbox') })
  await expect(rows.first()).toBeVisible()
  const seen = new Set<string>()
  await expect(async () => {
    for (const index of await rows.evaluateAll((all) =>
      all.map((row) => row.getAttribute('aria-rowindex') ?? ''),
    ))
      seen.add(index)
    expect(await findBreaches(page)).toEqual([])
    await page.mouse.wheel(0, 500)
    expect(seen.size).toBe(HOSTILE_COUNT)
  }).toPass({ timeout: 30_000, intervals: [30] })
  expect(incidents).toEqual([])
})

test('no text of a hostile vendor runs, leads away or breaks a threat', async ({ page, lantern }) => {
  test.setTimeout(240_000)
  const incidents = watch(page, lantern.url)
  await signIn(page)
  for (let index = 0; index < HOSTILE_COUNT; index += 1) {
    await page.goto(`/threats/${hostileId(index)}`)
    await expect(page.getByRole('heading', { level: 2, name: 'Facts' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: 'Raw record' })).toBeVisible()
    expect(await findBreaches(page)).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, hostileId(index)).toBeLessThanOrEqual(0)
  }
  expect(incidents).toEqual([])
})
