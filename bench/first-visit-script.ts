import { stat } from 'node:fs/promises'
import type { Browser } from '@playwright/test'
import type { MeasuredLantern } from './measured-lantern.ts'
import { findPages, openContext } from './measured-pages.ts'
import { verdict } from './verdict.ts'

const TARGET_BYTES = 120_000
/** Until every chunk of a page has been asked for. */
const REST_MS = 2_000
/** Of the chunks of a page that brings too much. */
const SHOWN_COUNT = 5
const DIST = new URL('../dist/', import.meta.url)

/** Opens each page as a first-time visitor and adds up the brotli bytes of every script that the browser asked for. */
export async function measureFirstVisitScript(browser: Browser, lantern: MeasuredLantern): Promise<void> {
  const pages = await findPages(browser, lantern)
  console.log('\nFirst-visit script by page, brotli bytes (target 120,000 or less, but for charts)')
  for (const { path, hasCharts } of pages) {
    const scripts = await scriptsOf(browser, lantern, path)
    const chunks = await Promise.all(scripts.map(async (name) => ({ name, bytes: await brotliBytes(name) })))
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.bytes, 0)
    const word = hasCharts ? 'charts' : verdict(bytes <= TARGET_BYTES)
    console.log(`  ${told(bytes)}  ${word.padEnd(6)}  ${path}`)
    const largest = word === 'MISSED' ? chunks.toSorted((a, b) => b.bytes - a.bytes) : []
    for (const chunk of largest.slice(0, SHOWN_COUNT)) console.log(`    ${told(chunk.bytes)}  ${chunk.name}`)
  }
}

async function scriptsOf(browser: Browser, lantern: MeasuredLantern, path: string): Promise<string[]> {
  const context = await openContext(browser, lantern)
  const page = await context.newPage()
  const scripts = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname)
  })
  await page.goto(new URL(path, lantern.url).href)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // The network never rests: the page hears what changes.
  await page.waitForTimeout(REST_MS)
  await context.close()
  return [...scripts]
}

function told(bytes: number): string {
  return bytes.toLocaleString('en').padStart(8)
}

/** A file without a compressed sibling is sent as it is. */
async function brotliBytes(path: string): Promise<number> {
  const file = new URL(`.${path}`, DIST)
  const compressed = await stat(new URL(`${file.href}.br`)).catch(() => null)
  return (compressed ?? (await stat(file))).size
}
