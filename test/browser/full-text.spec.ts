import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

/** In the details of demo records, and in no title or summary. Another journey may have opened one of them. */
const WORD = 'payroll'

test('a word of full texts is searched at the service by keyboard alone, and its rows say so', async ({
  signedInPage: page,
}) => {
  await page.goto(`/threats?q=${WORD}`)
  const press = page.getByRole('button', { name: 'Search full texts at the vendor (1 call)' })
  await press.focus()
  await page.keyboard.press('Enter')
  const region = page.getByRole('region', { name: 'Full texts' })
  await expect(region.getByRole('status')).toHaveText(/Full texts searched .* 100 threats found/)
  await expect(page.getByRole('row').getByText('found in the full text').first()).toBeVisible()

  await page.getByRole('button', { name: 'Load next page (1 call)' }).press('Enter')
  await expect(region.getByRole('status')).toHaveText(/200 threats found/)
  await page.reload()
  await expect(region.getByRole('status')).toHaveText(/200 threats found/)
  await expect(page.getByRole('row').getByText('found in the full text').first()).toBeVisible()
})
