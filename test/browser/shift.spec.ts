import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

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

  const open = page.getByRole('region', { name: 'Open by owner' })
  const total = open.getByRole('link', { name: /^[\d,]+ cases?$/ })
  const count = (await total.textContent()) ?? ''
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Beginning of the shift' })).toBeHidden()
  await expect(page.getByText(/^Lantern\. Printed .*\d{4}/)).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  await total.click()
  await expect(page).toHaveURL(/\/threats\?triage=open/)
  await expect(page.getByText(new RegExp(`^${count},`))).toBeVisible()
})
