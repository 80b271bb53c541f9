import { type Browser, expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'
import { inviteViewer } from '#test/support/invite-user.ts'

const proposal = (page: Page) => page.getByRole('region', { name: 'Time zone' })

async function openIn(browser: Browser, baseURL: string, timezoneId: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, timezoneId })
  return context.newPage()
}

/** Another browser of the same person, at the same page. */
async function openElsewhere(
  browser: Browser,
  page: Page,
  { timezoneId, url }: { timezoneId: string; url: string },
) {
  const other = await openIn(browser, url, timezoneId)
  await other.context().addCookies(await page.context().cookies())
  await other.goto('/')
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => other.evaluate(() => localStorage.getItem('lantern.preferences'))).not.toBeNull()
  return other
}

test('the zone of the browser is proposed to a new account, and is used in every browser once chosen', async ({
  signedInPage: admin,
  browser,
  lantern: { url },
}) => {
  const page = await openIn(browser, url, 'Europe/Berlin')
  await inviteViewer(admin, page, 'berta@lantern.example')
  await page.goto('/')
  await expect(proposal(page)).toContainText('Times are shown in UTC.')
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await page.getByRole('button', { name: 'Use Europe/Berlin' }).click()
  await expect(proposal(page)).toBeHidden()
  await expect(page.getByText(/^as of \d{2}:\d{2} UTC\+[12]\b/).first()).toBeVisible()
  expect((await saved).ok()).toBe(true)

  const other = await openElsewhere(browser, page, { timezoneId: 'Asia/Tokyo', url })
  await expect(other.getByText(/^as of \d{2}:\d{2} UTC\+[12]\b/).first()).toBeVisible()
  await expect(proposal(other)).toBeHidden()
})

test('whoever keeps UTC is not asked again, in this browser or another', async ({
  signedInPage: admin,
  browser,
  lantern: { url },
}) => {
  const page = await openIn(browser, url, 'Europe/Berlin')
  await inviteViewer(admin, page, 'ute@lantern.example')
  await page.goto('/')
  const saved = page.waitForResponse(
    (response) => response.request().postDataJSON()?.hasChosenTimeZone === true,
  )
  await page.getByRole('button', { name: 'Keep UTC' }).click()
  await expect(proposal(page)).toBeHidden()
  expect((await saved).ok()).toBe(true)

  const other = await openElsewhere(browser, page, { timezoneId: 'Asia/Tokyo', url })
  await other.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => {})
  await expect(proposal(other)).toBeHidden()
})
