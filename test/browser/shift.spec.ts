import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'
import { importRecord } from '#test/support/import-record.ts'

test('a shift begins at a moment that the address keeps, and prints without navigation', async ({
  signedInPage: page,
}) => {
  await page.goto('/shift')
  await expect(page).toHaveURL(/\/shift\?since=\d{4}-/)
  const added = page.getByRole('region', { name: 'Cases with new claims' })
  await expect(added).toBeVisible()
  const address = page.url()
  await page.reload()
  await expect(added).toBeVisible()
  expect(page.url()).toBe(address)

  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden()
  await expect(page.getByRole('group', { name: 'Beginning of the shift' })).toBeHidden()
  await expect(page.getByText(/^Lantern\. Printed .*\d{4}/)).toBeVisible()
})

test('the number of open cases leads to as many rows of the feed', async ({ signedInPage: page }) => {
  const open = page.getByRole('region', { name: 'Open by owner' })
  const total = open.getByRole('link', { name: /^[\d,]+ cases?$/ })
  // Claims of the first start are still made into cases, which lowers the number.
  await expect(async () => {
    await page.goto('/shift')
    const count = (await total.textContent()) ?? ''
    await total.click()
    await expect(page).toHaveURL(/\/threats\?triage=open/)
    await expect(page.getByText(new RegExp(`^${count},`))).toBeVisible({ timeout: 5_000 })
  }).toPass()
})

test('new claims appear while a user reads, and move nothing', async ({ signedInPage: page, lantern }) => {
  await page.setViewportSize({ width: 1024, height: 500 })
  await page.goto('/shift?since=2020-01-01T00:00:00Z')
  const added = page.getByRole('region', { name: 'Cases with new claims' })
  const line = added.getByRole('link').nth(20)
  await line.scrollIntoViewIfNeeded()
  const read = (await line.textContent()) ?? ''
  const topOf = async () => (await added.getByRole('link', { name: read }).first().boundingBox())?.y
  const before = (await topOf()) ?? Number.NaN
  const news = `Fenwold Dairy ${randomUUID().slice(0, 8)}`
  await importRecord(lantern, news)
  await expect(added.getByRole('link', { name: news })).toBeAttached({ timeout: 30_000 })
  expect(Math.abs(((await topOf()) ?? Number.NaN) - before)).toBeLessThan(2)
})

test('the builder makes a profile that sends Shift as a digest, and list and panel show it', async ({
  signedInPage: page,
}) => {
  await page.goto('/shift')
  await expect(page).toHaveURL(/since=/)
  await page.getByRole('link', { name: 'Send as digest' }).click()
  await expect(page).toHaveURL('/alerts/new?sends=shift')
  await page.getByLabel('Name').fill('Night handover')
  await expect(page.getByLabel('Email')).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: /^Me / })).toBeChecked()
  await page.getByLabel('Hour').selectOption('07:00')
  await page.getByRole('button', { name: 'Create profile' }).click()

  await expect(page.getByText('“Night handover” was created.')).toBeVisible()
  const [, id = ''] = /created=([^&]+)/.exec(page.url()) ?? []
  await page.goto(`/alerts?profile=${id}`)
  const panel = page.getByRole('region', { name: 'Profile', exact: true })
  await expect(panel.getByText('Sends').locator('..')).toContainText('Shift')
  await expect(panel.getByText(/^Next on /)).toBeVisible()
  const answer = await page.evaluate(
    (path) => fetch(path, { method: 'DELETE', headers: { 'x-lantern': '1' } }).then(({ status }) => status),
    `/bff/alert-profiles/${id}`,
  )
  expect(answer).toBe(204)
})

test('a user who leaves before the last visit is known is not redirected back', async ({
  signedInPage: page,
}) => {
  const visit = Promise.withResolvers<void>()
  const script = Promise.withResolvers<void>()
  await page.route('**/bff/shift-visits', async (route) => {
    await visit.promise
    await route.continue()
  })
  await page.goto('/shift')
  const link = page.getByRole('link', { name: 'Send as digest' })
  await link.waitFor()
  await page.route('**/*.js', async (route) => {
    await script.promise
    await route.continue()
  })
  await link.click()
  await expect(page).toHaveURL('/alerts/new?sends=shift')
  const answered = page.waitForResponse('**/bff/shift-visits')
  visit.resolve()
  await (await answered).finished()
  script.resolve()
  await expect(page.getByLabel('Name')).toHaveValue('Shift')
  await expect(page).toHaveURL('/alerts/new?sends=shift')
})

test('on a phone the beginnings to choose from fill their rows', async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/shift')
  const starts = page.getByRole('group', { name: 'Beginning of the shift' })
  const last = await starts.getByRole('button', { name: 'Last 24 hours' }).boundingBox()
  const all = await starts.boundingBox()
  const [end, edge] = [last, all].map((box) => (box ? box.x + box.width : 0))
  expect(Math.abs(Number(end) - Number(edge))).toBeLessThanOrEqual(2)
})
