import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'
import { readVictims, removeLists } from '#test/support/list-requests.ts'
import { tabTo } from '#test/support/tab-to.ts'

/** Other tests may keep the machine busy while a list is compared. */
const MATCHED_TIMEOUT_MS = 60_000

test('with the keyboard alone: a list of pasted names, a match confirmed and undone, an alert', async ({
  signedInPage: page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/lists')
  await expect(page.getByText('No list yet')).toBeVisible()
  const [victim = ''] = await readVictims(page)
  // The domain is another organisation's, so that the name alone decides nothing.
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${victim}; fenwold-dairy.example`)
  try {
    await tabTo(page, page.getByRole('link', { name: 'New list' }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'New list' })).toBeVisible()
    await tabTo(page, page.getByLabel('Name', { exact: true }))
    await page.keyboard.type('Dairies')
    await tabTo(page, page.getByLabel('Names'))
    await page.keyboard.press('Control+V')
    await expect(page.getByText('1 entry understood')).toBeVisible()
    await tabTo(page, page.getByRole('button', { name: 'Create list' }))
    await page.keyboard.press('Enter')

    await expect(page.getByRole('heading', { level: 1, name: 'Dairies' })).toBeVisible()
    const confirm = page.getByRole('button', { name: /^Confirm that this is about/ }).first()
    await expect(confirm).toBeVisible({ timeout: MATCHED_TIMEOUT_MS })
    await tabTo(page, confirm)
    const name = (await confirm.getAttribute('aria-label')) ?? ''
    await page.keyboard.press('Enter')
    const undo = page.getByRole('button', { name: /^Undo the confirmation of/ })
    await expect(undo).toBeFocused()
    await expect(page.getByRole('status').filter({ hasText: /^Confirmed: “/ })).toBeAttached()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name, exact: true })).toBeFocused()
    await expect(undo).toHaveCount(0)

    await tabTo(page, page.getByRole('link', { name: 'Alert me' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'New alert profile' })).toBeVisible()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Dairies')
    await expect(page).toHaveURL(/[?&]q=list(?::|%3A)Dairies(?:&|$)/)
    const backtest = page.getByRole('region', { name: 'Backtest' })
    await expect(backtest.getByText(/^[1-9]\d* match(?:es)? in the last/).last()).toBeVisible()
  } finally {
    await removeLists(page)
  }
})
