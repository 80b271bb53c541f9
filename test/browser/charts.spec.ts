import { setTimeout as sleep } from 'node:timers/promises'
import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

const CHARTS = ['/', '/countries/US', '/metrics']
const CODE_LATE_MS = 1_500

const legend = (page: Page) => page.getByRole('link', { name: /^Ransomware [\d,]+$/ }).first()
const showChart = (page: Page) =>
  page
    .getByRole('figure')
    .filter({ has: legend(page) })
    .first()
    .evaluate((element) => element.scrollIntoView({ block: 'center' }))
const plot = (page: Page) => page.getByRole('application').first()

for (const width of [1440, 390]) {
  test(`no page ${width} px wide moves when the code of its chart comes`, async ({ signedInPage: page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.route('**/assets/day-plot-*.js', async (route) => {
      await sleep(CODE_LATE_MS)
      await route.continue()
    })
    for (const path of CHARTS) {
      await page.goto(path)
      await expect(legend(page)).toBeVisible()
      await expect(plot(page)).toBeHidden()
      await showChart(page)
      // What else is on its way, and may push the chart out of the viewport, where it is not drawn.
      await page.waitForLoadState('networkidle', { timeout: CODE_LATE_MS }).catch(() => {})
      await showChart(page)
      const startHeight = await heightOf(page)
      await watchShifts(page)
      await expect(plot(page)).toBeVisible()
      await sleep(200)
      expect([path, await readShifts(page), await heightOf(page)]).toEqual([path, [], startHeight])
    }
  })
}

test('a saved picture names its content, period, time zone, source and time', async ({
  signedInPage: page,
}) => {
  await page.addInitScript(() => {
    const written: string[] = []
    Object.assign(window, { written })
    const { prototype } = CanvasRenderingContext2D
    const { fillText } = prototype
    prototype.fillText = function (this: CanvasRenderingContext2D, text: string, x: number, y: number) {
      written.push(text)
      return fillText.call(this, text, x, y)
    }
  })
  await page.goto('/countries/US')
  await expect(plot(page)).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PNG' }).press('Enter'),
  ])
  expect(download.suggestedFilename()).toBe('threats-by-day-US.png')
  const words = await page.evaluate((): string[] => Reflect.get(window, 'written'))
  const time = String.raw`\d{1,2} \w+ \d{4}, \d{2}:\d{2} UTC`
  expect(words.join('|')).toMatch(
    new RegExp(
      [
        String.raw`^Threats by category: United States\|cases by day, \d+ \w+ to \w+ \d+ \w+ \d{4} \(UTC\)\|`,
        String.raw`.*Ransomware.*\|(?:30 days before \(dashed\)\|)?Striped: incomplete day\.\|`,
        String.raw`(?:A case counts in each of its categories\.\|)?`,
        `Source: generated demo data of Lantern’s own service, read ${time}`,
        String.raw`\|Saved from Lantern, ${time}$`,
      ].join(''),
    ),
  )
})

test('legends and bars keep their measure in forced colours', async ({ signedInPage: page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/')
  await expect(legend(page)).toBeVisible()
  const swatches = await page
    .locator('figcaption span[style*="background"]')
    .evaluateAll((all) => all.map((swatch) => getComputedStyle(swatch).backgroundColor))
  expect(new Set(swatches).size).toBe(swatches.length)
  expect(swatches.length).toBeGreaterThan(2)

  const drawn = page.getByRole('list', { name: /^Top actors/ }).locator('[style*="width"]')
  await expect(drawn).not.toHaveCount(0)
  const bars = await drawn.evaluateAll((all) =>
    all.map((bar) => [bar.clientWidth, getComputedStyle(bar).borderBottomWidth]),
  )
  expect(new Set(bars.map(([, border]) => border))).toEqual(new Set(['3px']))
  expect(bars.map(([width]) => width)).toEqual(
    bars.map(([width]) => width).toSorted((a, b) => Number(b) - Number(a)),
  )
})

test('nothing moves by itself for a reader who wants less motion', async ({ signedInPage: page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.addInitScript(() => {
    const moved: string[] = []
    Object.assign(window, { moved })
    for (const type of ['animationstart', 'transitionrun']) {
      addEventListener(
        type,
        ({ target }) => moved.push(`${type} ${target instanceof Element ? target.className : ''}`),
        true,
      )
    }
  })
  // Long enough for what stands in the place of data.
  await page.route('**/bff/**', async (route) => {
    await sleep(300)
    await route.continue()
  })
  for (const path of [
    '/',
    '/threats',
    '/actors',
    '/countries',
    '/countries/US',
    '/alerts',
    '/metrics',
    '/settings',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.getByRole('link', { name: 'Threats', exact: true }).first().hover()
    await sleep(500)
    expect([path, await page.evaluate(() => Reflect.get(window, 'moved'))]).toEqual([path, []])
    expect(await page.evaluate(() => document.getAnimations().length), path).toBe(0)
  }
})

function heightOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight)
}

async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value'))
    }).observe({ type: 'layout-shift' })
  })
}

function readShifts(page: Page): Promise<number[]> {
  return page.evaluate(() => Reflect.get(window, 'shifts'))
}
