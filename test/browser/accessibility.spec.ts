import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { test } from '../support/browser-test.ts'

const THEMES = ['light', 'dark'] as const
const WIDTHS = [1440, 390]

async function findingsOf(page: Page) {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
}

for (const colorScheme of THEMES) {
  for (const width of WIDTHS) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } })

      test('sign-in has no finding', async ({ page }) => {
        await page.goto('/sign-in')
        await expect(page.getByLabel('Password')).toBeVisible()
        expect(await findingsOf(page)).toEqual([])
      })

      test('the feed has no finding, full, empty and refused', async ({ signedInPage: page }) => {
        await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
        expect(await findingsOf(page)).toEqual([])
        await page.goto('/threats?q=zzzzunheardof')
        await expect(page.getByText(/No threat fits/)).toBeVisible()
        expect(await findingsOf(page)).toEqual([])
        // Older than Lantern's own window, where no route set can filter by severity.
        await page.goto('/threats?severity=critical&from=2020-01-01')
        await expect(page.getByRole('button', { name: 'Remove Severity', exact: true })).toBeVisible()
        expect(await findingsOf(page)).toEqual([])
      })

      test('a threat has no finding, found and not found', async ({ signedInPage: page }) => {
        await page.getByRole('row').getByRole('link').first().click()
        await expect(page.getByRole('heading', { level: 2, name: 'Facts' })).toBeVisible()
        await page.getByRole('heading', { name: 'Related threats' }).scrollIntoViewIfNeeded()
        await expect(
          page.getByRole('heading', { name: /same (actor|country|victim)/i }).first(),
        ).toBeVisible()
        expect(await findingsOf(page)).toEqual([])
        await page.goto('/threats/nothing-has-this-id')
        await expect(page.getByText(/not found/i).first()).toBeVisible()
        expect(await findingsOf(page)).toEqual([])
      })

      test('nothing is wider than the window', async ({ signedInPage: page }) => {
        await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect(overflow).toBeLessThanOrEqual(0)
      })
    })
  }
}
