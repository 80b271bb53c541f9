import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

const NOTE = 'Ask the bank about this one'
const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'Reload when it suits you' })

/** As after an upgrade: the page of the server is another, and old parts are gone. Answers how often a document was loaded since. */
async function upgrade(page: Page, gone: RegExp) {
  await page.route(gone, (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await page.route('/', async (route) => {
    if (route.request().resourceType() === 'document') return route.fallback()
    await route.fulfill({
      contentType: 'text/html',
      body: '<script type="module" src="/assets/app-next.js">',
    })
  })
  let documents = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents += 1
  })
  return () => documents
}

test('a missing script offers a reload, which keeps the filter and the comment', async ({
  signedInPage: page,
}) => {
  await page.goto('/threats?severity=critical')
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  const comment = page.getByLabel('Comment for the team')
  await comment.fill(NOTE)
  const documentsOf = await upgrade(page, /\/assets\/key-map-/)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')

  await expect(banner(page)).toContainText('Lantern was upgraded since this page was opened')
  await expect(comment).toHaveValue(NOTE)
  expect(documentsOf()).toBe(0)
  await banner(page).getByRole('button', { name: 'Reload' }).click()
  await expect(comment).toHaveValue(NOTE)
  expect(documentsOf()).toBe(1)
  await page.goBack()
  await expect(page).toHaveURL(/\/threats\?severity=critical$/)
})

test('a missing page offers a reload, keeps the draft, and never reloads by itself', async ({
  signedInPage: page,
}) => {
  await page.goto('/alerts/new')
  await page.getByLabel('Name').fill('Hospitals')
  const documentsOf = await upgrade(page, /\/assets\/metrics-/)
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Metrics' })
  const lost = page.waitForResponse(/\/assets\/metrics-/)
  await link.hover()
  await lost
  await link.click()

  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('This page needs a reload')
  await expect(page).toHaveURL(/\/metrics$/)
  await page.getByRole('main').getByRole('button', { name: 'Reload' }).click()
  await expect(heading).toHaveText('This page needs a reload')
  expect(documentsOf()).toBe(1)

  await page.unrouteAll()
  await page.getByRole('main').getByRole('button', { name: 'Reload' }).click()
  await expect(heading).toHaveText('Metrics')
  expect(documentsOf()).toBe(2)
  await page.goBack()
  await expect(page.getByLabel('Name')).toHaveValue('Hospitals')
})
