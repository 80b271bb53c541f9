import type { Page } from '@playwright/test'

/** Opens the list of a filter of several values, ticks each by its name, and closes the list. */
export async function chooseValues(page: Page, label: string, ...values: string[]): Promise<void> {
  await page.getByLabel(label).click()
  for (const value of values) {
    await page.getByRole('listbox').getByRole('option', { name: value }).first().click()
  }
  await page.keyboard.press('Escape')
}
