import { expect, type Locator, type Page } from '@playwright/test'

const TIMEOUT_MS = 20_000

/** Presses Tab, or Shift+Tab, until the focus stands on an element, as a person does who has a keyboard alone. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  await expect(async () => {
    await page.keyboard.press(key)
    // At once: whoever waits for the focus has passed it by the next press.
    expect(await target.evaluate((element) => element === document.activeElement)).toBe(true)
  }).toPass({ intervals: [1], timeout: TIMEOUT_MS })
}
