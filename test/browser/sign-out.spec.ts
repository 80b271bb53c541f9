import { type Browser, expect, type Page } from '@playwright/test'
import { signIn, test } from '#test/support/browser-test.ts'
import { inviteUser } from '#test/support/invite-user.ts'
import { ADMIN } from '#test/support/start-lantern.ts'

const AT_ONCE_MS = 3_000
const TIMEOUT_MS = 180_000
const BUILDER = '/alerts/new?name=Hospitals'

async function signOut(page: Page, name: 'Sign out' | 'Sign out everywhere') {
  await page.getByRole('button', { name: /, account of/ }).click()
  await page.getByRole('button', { name, exact: true }).click()
}

/** A viewer, whom a browser of their own brings in. */
async function invite(admin: Page, browser: Browser, url: string, email: string) {
  const context = await browser.newContext({ baseURL: url })
  const viewer = await inviteUser(admin, await context.newPage(), email)
  await context.close()
  return viewer
}

/** What signing in takes, on a page that leads there by itself. */
async function signInHere(page: Page, { email, password }: { email: string; password: string }) {
  // The builder has a field for an email too.
  await expect(page.getByLabel('Password')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

const keywords = (page: Page) => page.getByRole('group', { name: 'Keywords' }).or(page.getByRole('main'))

test('a sign-out in one tab ends the others at once, and a draft remains for its author', async ({
  browser,
  lantern,
  signedInPage: admin,
}) => {
  test.setTimeout(TIMEOUT_MS)
  const eve = await invite(admin, browser, lantern.url, 'eve@lantern.example')
  const ada = await invite(admin, browser, lantern.url, 'adele@lantern.example')

  const context = await browser.newContext({ baseURL: lantern.url })
  const [feed, builder] = [await context.newPage(), await context.newPage()]
  await signIn(feed, ada)
  await feed.goto('/threats')
  await builder.goto(BUILDER)
  await builder.getByLabel('Keywords').fill('hospital')
  await builder.keyboard.press('Enter')
  await expect(keywords(builder).getByText('hospital', { exact: true }).first()).toBeVisible()

  await signOut(feed, 'Sign out')
  await expect(builder.getByLabel('Password')).toBeVisible({ timeout: AT_ONCE_MS })
  await expect(builder.getByText('Your session ended, here or in another tab')).toBeVisible()
  await expect(builder.getByText('hospital', { exact: true })).toHaveCount(0)

  await signInHere(builder, eve)
  expect(new URL(builder.url()).pathname).toBe('/')
  await builder.goto(BUILDER)
  await expect(builder.getByLabel('Name')).toHaveValue('Hospitals')
  await expect(builder.getByText('hospital', { exact: true })).toHaveCount(0)
  await builder.getByLabel('Name').fill('Of Eve')
  await signOut(builder, 'Sign out')
  await signInHere(builder, ada)
  await builder.goto(BUILDER)
  await expect(builder.getByLabel('Name')).toHaveValue('Hospitals')
  await expect(keywords(builder).getByText('hospital', { exact: true }).first()).toBeVisible()
  await context.close()
})

test('the same person returns to the page of each tab after sign-in', async ({ browser, lantern }) => {
  const context = await browser.newContext({ baseURL: lantern.url })
  const [first, second] = [await context.newPage(), await context.newPage()]
  await signIn(first)
  await second.goto('/threats?severity=critical')
  await expect(second.getByRole('row').nth(1)).toBeVisible()
  await signOut(first, 'Sign out')
  await expect(second.getByLabel('Password')).toBeVisible({ timeout: AT_ONCE_MS })
  await signInHere(second, ADMIN)
  await expect(second).toHaveURL(/\/threats\?severity=critical$/)
  await context.close()
})

test('a session that ends on the server ends in every open tab without a request', async ({
  browser,
  lantern,
  signedInPage: admin,
}) => {
  test.setTimeout(TIMEOUT_MS)
  // Not the first account, whose session is that of all tests.
  const otto = await invite(admin, browser, lantern.url, 'otto@lantern.example')
  const context = await browser.newContext({ baseURL: lantern.url })
  const tabs = [await context.newPage(), await context.newPage()]
  await signIn(tabs[0] ?? (await context.newPage()), otto)
  for (const tab of tabs) {
    await tab.goto('/threats')
    await expect(tab.getByRole('row').nth(1)).toBeVisible()
  }
  const other = await browser.newContext({ baseURL: lantern.url })
  const page = await other.newPage()
  await signIn(page, otto)
  await signOut(page, 'Sign out everywhere')
  for (const tab of tabs) await expect(tab.getByLabel('Password')).toBeVisible({ timeout: AT_ONCE_MS })
  await context.close()
  await other.close()
})
