import type { Page } from '@playwright/test'
import { test as browserTest } from './browser-test.ts'
import { startHostileVendor } from './hostile-vendor.ts'
import { type RunningLantern, startLantern } from './start-lantern.ts'

/** No page, answer or store may hold a piece of it. */
export const VENDOR_KEY = 'lk-live-Zq7xR3canary9f2b77aaWm'

/** The same Lantern, with a vendor that wishes it ill. */
export const test = browserTest.extend<object, { lantern: RunningLantern }>({
  lantern: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from this pattern what a fixture needs
    async ({}, use) => {
      const vendor = await startHostileVendor()
      const lantern = await startLantern({
        settings: { UPSTREAM_URL: vendor.url, UPSTREAM_API_KEY: VENDOR_KEY },
      })
      await use(lantern)
      await lantern.stop()
      await vendor.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

/** What must never happen: code that runs, a policy that is broken, a request to elsewhere. */
export function collectFaults(page: Page, home: string): string[] {
  const incidents: string[] = []
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => incidents.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) incidents.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'blob:' && origin !== home) incidents.push(`request: ${request.url()}`)
  })
  return incidents
}

/** Links that lead anywhere but into Lantern, and traces that injected code would leave. */
export function findBreaches(page: Page): Promise<string[]> {
  return page.evaluate(() => [
    ...[...document.links].flatMap(({ href, origin }) => (origin === location.origin ? [] : [href])),
    ...[
      ...document.querySelectorAll('main script, main style, main iframe, main form[action], main object'),
    ].map(({ outerHTML }) => outerHTML.slice(0, 200)),
    ...('stolen' in window ? ['window.stolen'] : []),
  ])
}
