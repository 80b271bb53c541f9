import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

const COMPACT_PX = 36

test('a reader arranges the list by keys alone, and the address brings it back', async ({
  feedPage: page,
}) => {
  const heads = page.getByRole('columnheader')
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
  await page.getByRole('button', { name: 'Display' }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'Display' })
  await expect(panel).toBeVisible()
  // Rows come before the density: cases, then claims.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?rows=claims$/)
  await expect(page.getByRole('status').filter({ hasText: /^[\d,]+ claims$/ })).toBeVisible()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: /^[\d,]+ cases, [\d,]+ claims$/ })).toBeVisible()
  await expect(page.getByText(/^\d+ claims · \d+ groups/).first()).toBeVisible()

  for (let at = 0; at < 3; at++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?density=compact$/)
  await expect
    .poll(
      async () => ((await rows.nth(1).boundingBox())?.y ?? 0) - ((await rows.nth(0).boundingBox())?.y ?? 0),
    )
    .toBe(COMPACT_PX)

  await page.keyboard.press('Tab')
  await expect(panel.getByRole('checkbox', { name: 'Severity' })).toBeFocused()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(heads).toHaveText(
    [/Select/, 'Threat', 'Actor', 'Severity', 'Victim', 'Country', 'Category', /^Published/],
    { useInnerText: true },
  )
  await page.keyboard.press('Alt+ArrowDown')
  await expect(panel.getByRole('status')).toHaveText('Severity, 3 of 6')
  await expect(page).toHaveURL(/columns=actor&columns=victim&columns=severity&/)
  await page.keyboard.press('Space')
  await expect(panel.getByRole('status')).toHaveText('Severity is hidden')
  await expect(panel.getByRole('checkbox', { name: 'Severity' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Display' })).toBeFocused()

  await page.reload()
  await expect(heads).toHaveText(
    [/Select/, 'Threat', 'Actor', 'Victim', 'Country', 'Category', /^Published/],
    {
      useInnerText: true,
    },
  )
  await expect(rows.first()).toBeVisible()
})

test('no choice of columns widens the page', async ({ signedInPage: page }) => {
  const all = ['severity', 'actor', 'victim', 'country', 'category', 'industry', 'published']
  const query = all.map((column) => `columns=${column}`).join('&')
  for (const density of ['', '&density=compact']) {
    await page.goto(`/threats?${query}${density}`)
    await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
    for (const width of [390, 720, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const wide = () =>
        page.evaluate(
          () =>
            [document.documentElement, ...document.querySelectorAll('tbody tr')].filter(
              ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
            ).length,
        )
      await expect.poll(wide, { message: `${query}${density}, ${width} px` }).toBe(0)
    }
  }
})
