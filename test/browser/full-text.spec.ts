import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

/** In the details of demo records, and in no title or summary. */
const WORD = 'payroll'

test('a search includes full texts of the own service without a click, and marks those rows', async ({
  signedInPage: page,
}) => {
  await page.goto(`/threats?q=${WORD}`)
  await expect(page.getByRole('row').getByText('found in the full text').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Full texts' })).toHaveCount(0)
})
