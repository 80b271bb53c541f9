import type { Browser, BrowserContext } from '@playwright/test'
import type { MeasuredLantern } from './measured-lantern.ts'

/** A browser that has been nowhere yet, signed in. */
export async function openContext(
  browser: Browser,
  { url, cookie }: Pick<MeasuredLantern, 'url' | 'cookie'>,
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url }])
  return context
}
