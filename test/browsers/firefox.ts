import puppeteer from 'puppeteer-core'
import type { Driver } from './visitor.ts'

export const FIREFOX = { name: 'Firefox', path: '/usr/bin/firefox-esr', debian: 'firefox-esr' } as const

/** By WebDriver BiDi, which Firefox speaks itself. */
export async function startFirefox(): Promise<Driver> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX.path, headless: true })
  const page = await browser.newPage()
  await page.setViewport({ width: 1440, height: 900 })
  return {
    open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
    run: (body) => page.evaluate(`(() => { ${body} })()`),
    click: (selector) => page.click(selector),
    async type(selector, text) {
      await page.click(selector)
      await page.keyboard.type(text)
    },
    close: () => browser.close(),
  }
}
