import { stat } from 'node:fs/promises'
import type { Browser } from '@playwright/test'

const TARGET_BYTES = 120_000
const DIST = new URL('../dist/', import.meta.url)

/** Opens the feed as a first-time visitor and adds up the brotli bytes of every script that the browser asked for. */
export async function measureFirstVisitScript(
  browser: Browser,
  { origin, cookie }: { origin: URL; cookie: string },
): Promise<void> {
  const context = await browser.newContext()
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url: origin.href }])
  const page = await context.newPage()
  const scripts = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname)
  })
  await page.goto(new URL('/threats', origin).href)
  await page.getByRole('link', { name: /./ }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await context.close()

  const chunks = await Promise.all(
    [...scripts].map(async (path) => ({ path, bytes: await brotliBytes(path) })),
  )
  const total = chunks.reduce((sum, { bytes }) => sum + bytes, 0)
  console.log("\nThe feed's first-visit script, brotli")
  for (const { path, bytes } of chunks.toSorted((a, b) => b.bytes - a.bytes)) {
    console.log(`  ${bytes.toLocaleString('en').padStart(8)}  ${path}`)
  }
  const share = total / TARGET_BYTES
  console.log(`  ${total.toLocaleString('en').padStart(8)}  in all, ${share.toFixed(2)} of the 120 kB target`)
}

/** A file without a compressed sibling is sent as it is. */
async function brotliBytes(path: string): Promise<number> {
  const file = new URL(`.${path}`, DIST)
  const compressed = await stat(new URL(`${file.href}.br`)).catch(() => null)
  return (compressed ?? (await stat(file))).size
}
