import { expect, type Locator, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

/** The newest threat, opened from the feed. */
async function openThreat(page: Page) {
  await page.getByRole('row').getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 2, name: 'Facts' })).toBeVisible()
}

/** Walks on to the first threat that has what is looked for: not every record does. */
async function walkTo(page: Page, sought: Locator) {
  await expect(async () => {
    if (await sought.isHidden()) await page.getByRole('link', { name: /next/i }).click()
    await expect(sought).toBeVisible({ timeout: 1500 })
  }).toPass()
}

test('evidence stays blurred until it is revealed, then opens in a viewer', async ({ feedPage: page }) => {
  await openThreat(page)
  const reveal = page.getByRole('button', { name: /^Reveal/ }).first()
  await walkTo(page, reveal)
  await reveal.click()
  const open = page.getByRole('button', { name: /^Open Evidence 1/ })
  await expect(open).toBeVisible()
  await open.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  const width = await page
    .getByRole('dialog')
    .getByRole('img')
    .evaluate((image: HTMLImageElement) => image.naturalWidth)
  expect(width).toBeGreaterThan(100)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('the source address is defanged, copied as chosen, and never a link', async ({
  feedPage: page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openThreat(page)
  await walkTo(page, page.getByText(/^hxxps?\[:\]\/\//).first())
  const copy = page.getByRole('button', { name: /^Copy hxxp/ }).first()

  await copy.click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('hxxp')
  await page
    .getByRole('button', { name: /^More ways: Copy hxxp/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Copy raw' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^https?:\/\//)

  const foreign = await page
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => (link as HTMLAnchorElement).origin).filter((origin) => origin !== location.origin),
    )
  expect(foreign).toEqual([])
})
