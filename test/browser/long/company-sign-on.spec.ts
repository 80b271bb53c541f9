import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { environmentWith } from '#settings/settings.ts'
import { CLIENT, startOpenIdProvider } from '#test/support/openid-provider.ts'
import { ADMIN, startLantern } from '#test/support/start-lantern.ts'

const AT_ONCE_MS = 3_000
const BREAK_GLASS = fileURLToPath(new URL('../../../src/commands/break-glass.ts', import.meta.url))
const ADA = { sub: 'p-ada', email: ADMIN.email, email_verified: true, name: 'Ada Example' }

/** Lantern, and a certified provider that comes up after it. */
async function startBoth(settings: Record<string, string>) {
  const port = await findFreePort()
  const lantern = await startLantern({
    settings: {
      OIDC_ISSUER: `http://127.0.0.1:${port}`,
      OIDC_CLIENT_ID: CLIENT.clientId,
      OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      ...settings,
    },
  })
  const provider = await startOpenIdProvider({ lanternUrl: lantern.url, port })
  provider.be(ADA)
  return {
    lantern,
    provider,
    async stop() {
      await lantern.stop()
      await provider.close()
    },
  }
}

async function signIn(page: Page) {
  await page.getByRole('button', { name: 'Sign in with single sign-on' }).click()
  await page.waitForURL((url) => url.pathname !== '/sign-in' && url.hostname === 'localhost')
}

/** What the provider's page asks: whether its session shall end. */
async function confirmSignOut(page: Page) {
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    const field = document.createElement('input')
    Object.assign(field, { name: 'logout', value: 'yes' })
    form.append(field)
    form.submit()
  })
}

async function openTabs(context: BrowserContext, ...paths: string[]): Promise<Page[]> {
  return Promise.all(
    paths.map(async (path) => {
      const page = await context.newPage()
      await page.goto(path)
      await expect(page.getByRole('button', { name: /account of ada/i })).toBeVisible()
      return page
    }),
  )
}

test('without passwords the provider opens and ends every session, and break-glass opens one when it is away', async ({
  browser,
}) => {
  test.setTimeout(180_000)
  const { lantern, provider, stop } = await startBoth({ PASSWORD_SIGN_IN: 'off' })
  try {
    expect(lantern.output()).toContain(`${ADMIN.email}, an admin once they have come by single sign-on`)
    const context = await browser.newContext({ baseURL: lantern.url })
    const page = await context.newPage()
    await page.goto('/sign-in')
    await expect(page.getByLabel('Password')).toHaveCount(0)
    await signIn(page)

    // Signed out at another application: every tab is at the sign-in page at once.
    const tabs = await openTabs(context, '/threats', '/settings?tab=users')
    const portal = await context.newPage()
    await portal.goto(`${provider.issuer}/session/end`)
    await confirmSignOut(portal)
    for (const tab of [page, ...tabs]) {
      await expect(tab.getByText('Your session ended')).toBeVisible({ timeout: AT_ONCE_MS })
    }
    expect(provider.problems).toEqual([])

    // Signed out here: the provider asks, and leads back.
    await signIn(page)
    await page.getByRole('button', { name: /account of ada/i }).click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(`${provider.issuer}/session/end?**`)
    await confirmSignOut(page)
    await page.waitForURL(`${lantern.url}/sign-in`)
    await expect(page.getByRole('button', { name: 'Sign in with single sign-on' })).toBeVisible()

    provider.goDown(true)
    const { stdout } = await promisify(execFile)(process.execPath, [BREAK_GLASS, ADMIN.email], {
      env: environmentWith({ DATA_DIR: lantern.dataDir, PUBLIC_URL: lantern.url }),
    })
    await page.goto(stdout.trim())
    await expect(page.getByRole('button', { name: /account of ada/i })).toBeVisible()
    await page.goto('/settings?tab=audit')
    await expect(page.getByRole('table').getByText('Break-glass link created')).toBeVisible()
    await context.close()
  } finally {
    await stop()
  }
})

test('a user with a password links and unlinks the provider', async ({ browser }) => {
  test.setTimeout(180_000)
  const { lantern, stop } = await startBoth({})
  try {
    const context = await browser.newContext({ baseURL: lantern.url })
    const page = await context.newPage()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in with single sign-on' }).click()
    await expect(page.getByRole('alert')).toContainText('Sign in to it by password, then link it in Settings')

    await page.getByLabel('Email').fill(ADMIN.email)
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((url) => url.pathname !== '/sign-in')
    await page.goto('/settings?tab=profile')
    await page.getByRole('button', { name: 'Link single sign-on' }).click()
    await expect(page.getByRole('button', { name: 'Unlink' })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/settings')

    const other = await (await browser.newContext({ baseURL: lantern.url })).newPage()
    await other.goto('/sign-in')
    await signIn(other)
    await expect(other.getByRole('button', { name: /account of ada/i })).toBeVisible()

    await page.getByRole('button', { name: 'Unlink' }).click()
    await expect(page.getByRole('button', { name: 'Link single sign-on' })).toBeVisible()
    await expect(other.getByText('Your session ended')).toBeVisible({ timeout: AT_ONCE_MS })
    await context.close()
  } finally {
    await stop()
  }
})
