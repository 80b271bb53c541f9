import { type BrowserContext, test as base, type Cookie, expect, type Page } from '@playwright/test'
import { ADMIN, type RunningLantern, startLantern } from './start-lantern.ts'

type TestFixtures = {
  /** A page of somebody who has signed in, nowhere yet. */
  signedInPage: Page
  /** The same, at the feed. */
  feedPage: Page
}

type WorkerFixtures = {
  /** A Lantern with the demo's records, one for all tests of a worker. */
  lantern: RunningLantern
  /** What keeps the first account signed in; a test that signs out takes a session of its own. */
  session: Cookie[]
}

const START_TIMEOUT_MS = 120_000

export const test = base.extend<TestFixtures, WorkerFixtures>({
  lantern: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern what a fixture needs
    async ({}, use) => {
      const lantern = await startLantern()
      await use(lantern)
      await lantern.stop()
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],

  session: [
    async ({ browser, lantern }, use) => {
      const context = await browser.newContext({ baseURL: lantern.url })
      const page = await context.newPage()
      await signIn(page)
      // An open page refetches with each page that the sync brings.
      await page.close()
      await untilStoreIsFilled(context)
      const cookies = await context.cookies()
      await context.close()
      await use(cookies)
    },
    { scope: 'worker', timeout: START_TIMEOUT_MS },
  ],

  baseURL: ({ lantern }, use) => use(lantern.url),

  signedInPage: async ({ page, context, session }, use) => {
    await context.addCookies(session)
    await use(page)
  },

  feedPage: async ({ signedInPage: page }, use) => {
    await page.goto('/threats')
    await use(page)
  },
})

/** Through the form, as a person does. */
export async function signIn(page: Page, { email, password } = ADMIN, url = ''): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

/** Until then counts change with every page that the reader brings. */
export async function untilStoreIsFilled({ request }: BrowserContext): Promise<void> {
  await expect(async () => {
    const response = await request.get('/bff/source', { headers: { 'x-lantern': '1' } })
    expect((await response.json()).window.status).toBe('complete')
  }).toPass({ intervals: [500], timeout: START_TIMEOUT_MS })
}
