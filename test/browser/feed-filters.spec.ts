import { expect, type Page } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'
import { chooseValues } from '#test/support/choose-values.ts'

const WIDTHS = [390, 768, 820, 1024, 1280, 1366, 1440]
const HOSTILE = `${'x'.repeat(150)}\u202e\u200b<img src=x onerror=alert(1)>`
const TWELVE = new URLSearchParams([
  ...['Ransomware', 'DDoS', 'Data Breach'].map((value) => ['category', value]),
  ...['US', 'DE', 'FR', 'GB'].map((value) => ['country', value]),
  ...['high', 'critical'].map((value) => ['severity', value]),
  ['actor', HOSTILE],
  ['industry', 'Healthcare'],
  ['from', '2026-11-01'],
])

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no filter and twelve of any length fit every width, ${colorScheme}`, async ({
    signedInPage: page,
  }) => {
    await page.emulateMedia({ colorScheme })
    for (const query of ['', TWELVE]) {
      await page.goto(`/threats?${query}`)
      await expect(
        page.getByRole('status').filter({ hasText: /^(about )?[\d,]+ cases?(, [\d,]+ claims)?$/ }),
      ).toBeVisible()
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        const look = `${query ? 12 : 0} filters, ${width} px`
        expect.soft(await overflowOf(page), look).toBe(0)
        expect.soft(await cutButtons(page), look).toEqual([])
      }
    }
    await expect(page.getByRole('list', { name: 'Filters in use' }).getByRole('listitem')).toHaveCount(12)
  })
}

test('the values of a filter open inside the viewport, and several are ticked by keys', async ({
  signedInPage: page,
}) => {
  for (const [width, height] of [
    [1440, 900],
    [1024, 400],
    [390, 844],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/threats')
    await expect(page.getByLabel('Search')).toBeVisible()
    const more = page.getByRole('button', { name: /^Filters/ })
    if (await more.isVisible()) await more.click()
    for (const label of ['Category', 'Industry']) {
      await page.getByLabel(label).click()
      const list = page.getByRole('listbox')
      await expect(list.getByRole('option').first()).toBeVisible()
      const box = await list.boundingBox()
      const look = `${label}, ${width} × ${height}`
      expect.soft(box?.x, look).toBeGreaterThanOrEqual(0)
      expect.soft(box?.y, look).toBeGreaterThanOrEqual(0)
      expect.soft((box?.x ?? 0) + (box?.width ?? 0), look).toBeLessThanOrEqual(width)
      expect.soft((box?.y ?? 0) + (box?.height ?? 0), look).toBeLessThanOrEqual(height)
      await page.keyboard.press('Escape')
    }
  }

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/threats')
  await page.getByLabel('Country').focus()
  await page.keyboard.type('united')
  await expect(page.getByRole('option', { name: /^United States/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/country=US&country=GB/)
  await expect(page.getByRole('option', { selected: true })).toHaveCount(2)
  await page.goBack()
  await expect(page).not.toHaveURL(/country/)
})

test.describe('in another locale', () => {
  test.use({ locale: 'de-DE' })

  test('the field and the chip show days in the format of the locale', async ({ signedInPage: page }) => {
    await page.goto('/threats?from=2026-11-01')
    await expect(page.getByRole('button', { name: 'Remove From: 1. Nov. 2026' })).toBeVisible()
    await expect(page.getByLabel('From').locator('..')).toHaveText('1. Nov. 2026')
  })
})

test('the address contains several values of several filters, and opens them again', async ({
  signedInPage: page,
}) => {
  await page.goto('/threats')
  await chooseValues(page, 'Severity', 'Critical', 'Medium')
  await chooseValues(page, 'Category', 'Ransomware', 'DDoS')
  await expect(page).toHaveURL(/severity=critical&severity=medium&category=Ransomware&category=DDoS/)
  await page.reload()
  await expect(page.getByLabel('Severity')).toHaveValue('2 chosen')
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
})

function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })
}

/** Buttons whose text is taller than they are. */
function cutButtons(page: Page): Promise<string[]> {
  return page
    .getByRole('main')
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => button.clientHeight > 1 && button.scrollHeight > button.clientHeight + 1)
        .map((button) => button.textContent),
    )
}
