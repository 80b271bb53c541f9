import { expect } from '@playwright/test'
import { test } from '#test/support/browser-test.ts'

test('Ctrl-K leads to a country by a few letters, and Escape back to the page', async ({
  feedPage: page,
}) => {
  await expect(page.getByRole('row').getByRole('link').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /^Page, actor, country/ })
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  // Another test saves a view that is called Germany: it would come a moment later, and stand first.
  await page.keyboard.type('nethe')
  await expect(page.getByRole('option', { name: /Netherlands/ }).first()).toBeVisible()
  const active = page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true })
  await expect(active).toHaveText(/^Netherlands/)
  await page.keyboard.press('ArrowDown')
  await expect(active).not.toHaveText(/^Netherlands/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/countries\/NL$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Netherlands' })).toBeVisible()
})

test('the palette runs a filter, by mouse', async ({ feedPage: page }) => {
  await page.getByRole('button', { name: 'Go to…' }).click()
  await expect(page.getByRole('combobox', { name: /^Page, actor, country/ })).toBeFocused()
  await page.keyboard.type('category: ddos')
  await page.getByRole('listbox', { name: 'Results' }).getByRole('option', { name: /DDoS/ }).first().click()
  await expect(page).toHaveURL(/\/threats\?category=DDoS/)
})
