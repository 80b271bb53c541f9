import { type Browser, expect, type Page } from '@playwright/test'
import { signIn, test } from '#test/support/browser-test.ts'
import { addUser, inviteUser } from '#test/support/invite-user.ts'
import { removeLists } from '#test/support/list-requests.ts'

const IN_BERLIN = /^Updated \d{2}:\d{2} UTC\+[12]\b/

async function openIn(browser: Browser, baseURL: string, timezoneId: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, timezoneId })
  return context.newPage()
}

test('the first sign-in leads to the welcome page, by keyboard, and its answers follow the account', async ({
  signedInPage: admin,
  browser,
  lantern: { url },
}) => {
  const page = await openIn(browser, url, 'Europe/Berlin')
  const person = await inviteUser(admin, page, 'berta@lantern.example')
  await expect(page).toHaveURL(/\/welcome$/)
  await expect(page.getByLabel('Show times in')).toHaveValue('Europe/Berlin')
  await page.getByLabel('My countries').focus()
  await page.keyboard.type('Germany')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Remove Germany' })).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'What Lantern found' })).toBeFocused()
  const found = page.getByRole('listitem').filter({ hasText: 'Your country:' })
  await expect(found).toContainText(/Your country: \d+ threats in the last 30 days/)
  const total = /(\d+) threats/.exec(await found.innerText())?.[1] ?? ''
  await found.getByRole('link').press('Enter')
  await expect(page).toHaveURL(/\/threats\?country=DE&within=30d$/)
  await expect(page.getByText(new RegExp(`^([\\d,]+ cases?, )?${total} (case|claim)s?$`))).toBeVisible()
  await page.goto('/')
  await expect(page.getByText(IN_BERLIN).first()).toBeVisible()

  const other = await openIn(browser, url, 'Asia/Tokyo')
  await signIn(other, person)
  await expect(other).toHaveURL(`${url}/`)
  await expect(other.getByText(IN_BERLIN).first()).toBeVisible()
  await other.goto('/settings')
  await expect(other.getByRole('button', { name: 'Remove Germany' })).toBeVisible()
})

test('a first sign-in by a deep link arrives there, and the overview offers what can be skipped once', async ({
  signedInPage: admin,
  browser,
  lantern: { url },
}) => {
  const link = await addUser(admin, 'ute@lantern.example')
  const page = await openIn(browser, url, 'Europe/Berlin')
  await page.goto(link.replace('/sign-in', '/sign-in?redirect=%2Fthreats%3Fcountry%3DDE'))
  await page.getByLabel('New password').fill('four words of a viewer')
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(page).toHaveURL(/\/threats\?country=DE$/)

  await page.goto('/')
  const offer = page.getByRole('link', { name: 'Set your time zone and interests' })
  await offer.click()
  const saved = page.waitForResponse((response) => response.request().postDataJSON()?.hasSeenWelcome === true)
  await page.getByRole('button', { name: 'Skip for now' }).click()
  expect((await saved).ok()).toBe(true)
  await expect(page).toHaveURL(`${url}/`)
  await expect(offer).toHaveCount(0)
  await expect(page.getByText(/^Updated \d{2}:\d{2} UTC\b(?!\+)/).first()).toBeVisible()
})

test('own domains become a list on a phone, by keyboard, and the answer comes by itself', async ({
  signedInPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/welcome')
  await page.getByLabel('Domains', { exact: true }).focus()
  await page.keyboard.type('okapi.example')
  await page.keyboard.press('Tab')
  await expect(page.getByText('1 entry understood')).toBeVisible()
  try {
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    const found = page.getByRole('listitem').filter({ hasText: 'Your domains:' })
    await expect(found.getByRole('link', { name: '0 threats' })).toBeVisible({ timeout: 30_000 })
    await page.goto('/welcome')
    await expect(page.getByText('added to your list')).toContainText('Own brands and domains, 1 entry.')
    // Lines that are answered meanwhile do not move the button from under the press.
    await page.getByLabel('Domains', { exact: true }).pressSequentially('https://okapi.example/about')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page).toHaveURL(/show=found$/)
  } finally {
    await removeLists(page)
  }
})

test('Save stays in sight on a low window, and covers no field that takes the focus', async ({
  signedInPage: page,
}) => {
  await page.setViewportSize({ width: 1440, height: 700 })
  await page.goto('/welcome')
  const save = page.getByRole('button', { name: 'Save' })
  await expect(save).toBeInViewport({ ratio: 1 })
  await page.getByLabel('My industries').focus()
  await page.keyboard.press('Tab')
  const domains = page.getByLabel('Domains', { exact: true })
  await expect(domains).toBeFocused()
  const [bar, field] = [await save.locator('xpath=../..').boundingBox(), await domains.boundingBox()]
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
})
