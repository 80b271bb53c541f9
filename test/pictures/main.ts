import { writeFile } from 'node:fs/promises'
import { type Browser, chromium, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { buildAppIfNeeded } from '#start/build-app.ts'
import { untilStoreIsFilled } from '#test/support/browser-test.ts'
import { ADMIN, type RunningLantern, startLantern } from '#test/support/start-lantern.ts'
import playwrightConfig from '../../playwright.config.ts'

const BUILDER_DRAFT = new URLSearchParams([
  ['name', 'Clinics'],
  ['keyword', 'hospital'],
  ['keyword', 'customer database'],
  ['keyword', 'glassheron'],
])

/** What the README and the guide show, by the name of its file in `.github`. */
const PICTURES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  overview: (page) => page.goto('/'),
  feed: (page) => page.goto('/threats'),
  async builder(page) {
    await page.goto(`/alerts/new?${BUILDER_DRAFT}`)
    const backtest = page.getByRole('region', { name: 'Backtest' })
    await expect(backtest.getByText(/^[1-9][\d,]* matches in the last/).last()).toBeVisible(PATIENCE)
    await expect(backtest.locator('mark').first()).toBeVisible(PATIENCE)
  },
  actor: (page) => page.goto('/actors/glassheron'),
  countries: (page) => page.goto('/countries'),
}
/** Nothing is sent: no picture saves a profile. */
const SETTINGS = {
  SMTP_URL: 'smtps://lantern:password@mail.example',
  MAIL_FROM: 'Lantern <lantern@corp.example>',
}
const MAX_BYTES = 150_000
const PATIENCE = { timeout: 60_000 }

/** Every picture is taken before the first is written: a run that fails leaves the files of the run before. */
async function takePictures(browser: Browser, lantern: RunningLantern): Promise<Map<string, Buffer>> {
  const { viewport, locale, timezoneId } = playwrightConfig.use ?? {}
  const context = await browser.newContext({
    baseURL: lantern.url,
    viewport,
    locale,
    timezoneId,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const [link = ''] = /http\S+#link=\S+/.exec(lantern.output()) ?? []
  await page.goto(link)
  await page.waitForURL(({ pathname }) => pathname !== '/sign-in')
  // An open page fetches its data again with each page of records that the sync stores.
  await page.goto('about:blank')
  await untilStoreIsFilled(context)

  const pictures = new Map<string, Buffer>()
  for (const [name, open] of Object.entries(PICTURES)) {
    await open(page)
    const png = await takeSettled(page)
    await refuseTracesOf(page, lantern)
    const picture = await sharp(png).png({ palette: true, dither: 0, effort: 10 }).toBuffer()
    if (picture.length > MAX_BYTES) {
      throw new Error(
        `${name}.png has ${picture.length} bytes, more than ${MAX_BYTES}: give png() fewer colours`,
      )
    }
    pictures.set(name, picture)
  }
  return pictures
}

/** Takes a picture when nothing is busy or drawn as a skeleton any more, and the page no longer changes. */
async function takeSettled(page: Page): Promise<Buffer> {
  await page.getByRole('heading', { level: 1 }).waitFor(PATIENCE)
  await page.evaluate(() => document.fonts.ready)
  let last: Buffer = Buffer.alloc(0)
  await expect(async () => {
    const before = last
    last = await page.screenshot({ animations: 'disabled' })
    expect(await page.locator('[aria-busy=true], .animate-skeleton').count()).toBe(0)
    expect(last.equals(before)).toBe(true)
  }).toPass({ intervals: [1_000], ...PATIENCE })
  return last
}

/** Nothing of this machine belongs in a public picture. */
async function refuseTracesOf(page: Page, { url, serviceUrl, dataDir }: RunningLantern): Promise<void> {
  const shown = await page.evaluate(() =>
    [document.body.innerText, ...[...document.querySelectorAll('input')].map(({ value }) => value)].join(
      '\n',
    ),
  )
  // The email address of the admin is an invented one.
  const traces = [ADMIN.password, new URL(url).host, new URL(serviceUrl).host, dataDir]
  const found = traces.find((trace) => shown.includes(trace))
  if (found !== undefined) throw new Error(`${page.url()} shows ${found}, which is of this machine`)
}

/** Rejects when the command is to end early, so that what it started is stopped before. */
function untilInterrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Error(`Stopped by ${signal}`)))
    }
  })
}

const interrupted = untilInterrupted()
await Promise.race([buildAppIfNeeded(), interrupted])
const starting = startLantern({ settings: SETTINGS })
const launching = chromium.launch({
  ...playwrightConfig.use?.launchOptions,
  handleSIGINT: false,
  handleSIGTERM: false,
})
try {
  const work = Promise.all([launching, starting]).then((started) => takePictures(...started))
  for (const [name, picture] of await Promise.race([work, interrupted])) {
    await writeFile(`.github/${name}.png`, picture)
    console.log(`.github/${name}.png  ${picture.length} bytes`)
  }
} finally {
  const [browser, lantern] = await Promise.allSettled([launching, starting])
  if (browser.status === 'fulfilled') await browser.value.close()
  if (lantern.status === 'fulfilled') await lantern.value.stop()
}
