import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { MeasuredLantern } from './measured-lantern.ts'

/** Every page. Those with charts may bring more script on a first visit. */
export const PAGES = [
  { path: '/', hasCharts: true },
  { path: '/threats', hasCharts: false },
  { path: '/actors', hasCharts: false },
  { path: '/countries', hasCharts: true },
  { path: '/countries/DE', hasCharts: true },
  { path: '/alerts', hasCharts: false },
  { path: '/alerts/new', hasCharts: false },
  { path: '/metrics', hasCharts: true },
  { path: '/settings', hasCharts: false },
  { path: '/settings?tab=api', hasCharts: false },
  { path: '/settings/calls', hasCharts: true },
] as const

/** The addresses above, and those of the newest threat and of the actor with the most mentions. */
export async function findPages(browser: Browser, lantern: MeasuredLantern) {
  const context = await openContext(browser, lantern)
  const page = await context.newPage()
  const threat = await firstLink(page, `${lantern.url}/threats`)
  const actor = await firstLink(page, `${lantern.url}/actors`)
  await context.close()
  return [...PAGES, { path: threat, hasCharts: false }, { path: actor, hasCharts: true }]
}

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

async function firstLink(page: Page, url: string): Promise<string> {
  await page.goto(url)
  const link = page.getByRole('cell').getByRole('link').first()
  return (await link.getAttribute('href')) ?? ''
}
