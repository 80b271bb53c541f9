import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'
import { chooseValues } from '#test/support/choose-values.ts'

test('an analyst saves what they filtered, finds it again as the default, follows it as a feed, and deletes it', async ({
  feedPage: page,
  playwright,
}) => {
  const trigger = page.getByRole('button', { name: /^Views/ })
  await chooseValues(page, 'Category', 'DDoS')
  await expect(page).toHaveURL(/category=DDoS/)
  await trigger.click()
  await page.getByRole('button', { name: 'Save as a new view…' }).click()
  const form = page.getByRole('dialog', { name: 'Save view' })
  await form.getByLabel('Name').fill('Floods')
  await form.getByRole('checkbox', { name: /Open Threats with this view/ }).check()
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect(trigger).toHaveText('Floods')

  await page.goto('/threats')
  await expect(page).toHaveURL(/category=DDoS/)
  await expect(trigger).toHaveText('Floods')
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()

  await trigger.press('Enter')
  await page.getByRole('button', { name: 'Settings of Floods' }).click()
  const settings = page.getByRole('dialog', { name: 'View', exact: true })
  await settings.getByRole('button', { name: 'Make an address' }).click()
  const address = await settings.getByLabel('Address', { exact: true }).inputValue()
  const fontOf = (element: Element) => getComputedStyle(element).fontFamily
  expect(await settings.getByLabel('Address', { exact: true }).evaluate(fontOf)).toContain('mono')
  expect(await settings.getByText('Address', { exact: true }).evaluate(fontOf)).not.toContain('mono')
  const stranger = await playwright.request.newContext()
  const feed = await stranger.get(address)
  expect(feed.headers()['content-type']).toContain('application/atom+xml')
  expect(await feed.text()).toContain('<entry>')

  const asks = settings.getByRole('button', { name: 'Delete view…' })
  await asks.press('Enter')
  await expect(settings.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(settings).toBeVisible()
  await expect(asks).toBeFocused()
  await asks.click()
  await settings.getByRole('button', { name: 'Delete for good' }).click()
  await expect(trigger).toHaveText('Views')
  expect((await stranger.get(address)).status()).toBe(404)
  await stranger.dispose()
  await page.goto('/threats')
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
  await expect(page).toHaveURL(/\/threats$/)
})
