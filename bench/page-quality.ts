import { chromium } from '@playwright/test'
import lighthouse, { desktopConfig, type Result } from 'lighthouse'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { findPages } from '#test/support/app-pages.ts'
import playwrightConfig from '../playwright.config.ts'
import { verdict } from '../test/support/verdict.ts'
import type { MeasuredLantern } from './measured-lantern.ts'

const TARGETS = {
  desktop: { performance: 98, accessibility: 98, 'best-practices': 98 },
  mobile: { performance: 92, accessibility: 98, 'best-practices': 98 },
} as const
const LOAD_MAX_MS = 12_000
/** Of each page: the one of the median performance counts. */
const RUNS = 3
type Device = keyof typeof TARGETS
const DEVICES: readonly Device[] = ['desktop', 'mobile']

/**
 * What Lighthouse reports of every page, signed in, on a desktop and on a slow phone: the median of three runs. Of one page
 * and one device where they are named.
 */
export async function measurePageQuality(
  lantern: MeasuredLantern,
  chosen: { page?: string | undefined; device?: string | undefined } = {},
): Promise<void> {
  const port = await findFreePort()
  const { args = [], ...options } = playwrightConfig.use?.launchOptions ?? {}
  const browser = await chromium.launch({ ...options, args: [...args, `--remote-debugging-port=${port}`] })
  try {
    const pages = [...(await findPages((path) => readJson(lantern, path))), { path: '/sign-in' }]
    for (const device of DEVICES.filter((each) => each === (chosen.device ?? each))) {
      const { performance, accessibility } = TARGETS[device]
      console.log(
        `\nLighthouse, ${device}: performance (target ${performance}), accessibility and best practices (${accessibility})`,
      )
      for (const { path } of pages.filter((page) => page.path === (chosen.page ?? page.path)))
        console.log(`  ${await measure(lantern, path, { device, port })}  ${path}`)
    }
  } finally {
    await browser.close()
  }
}

async function readJson({ origin, cookie }: MeasuredLantern, path: string): Promise<unknown> {
  return (await fetch(new URL(path, origin), { headers: { 'x-lantern': '1', cookie } })).json()
}

async function measure(
  { url, cookie }: MeasuredLantern,
  path: string,
  { device, port }: { device: Device; port: number },
): Promise<string> {
  const flags = {
    port,
    logLevel: 'error' as const,
    // The network never rests: a page listens for events for as long as it is open.
    maxWaitForLoad: LOAD_MAX_MS,
    onlyCategories: Object.keys(TARGETS[device]),
    ...(path !== '/sign-in' && { extraHeaders: { cookie } }),
  }
  const results: Result[] = []
  while (results.length < RUNS) {
    const result = await lighthouse(`${url}${path}`, flags, device === 'desktop' ? desktopConfig : undefined)
    if (!result || result.lhr.runtimeError) throw new Error(`${path}: ${result?.lhr.runtimeError?.message}`)
    results.push(result.lhr)
  }
  const { categories, audits } = medianOf(results)
  const scores = Object.entries(TARGETS[device]).map(([name, target]) => {
    const score = Math.round((categories[name]?.score ?? 0) * 100)
    return { score, isMet: score >= target }
  })
  const isMet = scores.every((score) => score.isMet)
  const faults = Object.values(categories)
    .filter(({ id }) => id !== 'performance')
    .flatMap(({ auditRefs }) => auditRefs.filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0))
    .map(({ id }) => id)
  const notes = isMet ? [] : [...timesOf(audits), ...faults]
  const cells = [...scores.map(({ score }) => String(score).padStart(3)), verdict(isMet).padEnd(6), ...notes]
  return cells.join(' ')
}

function medianOf(results: readonly Result[]): Result {
  const performanceOf = ({ categories }: Result) => categories.performance?.score ?? 0
  const median = results.toSorted((a, b) => performanceOf(a) - performanceOf(b))[Math.floor(RUNS / 2)]
  if (!median) throw new Error('No run was measured')
  return median
}

/** What a performance score is made of. */
function timesOf(audits: Record<string, { displayValue?: string }>): string[] {
  const names = {
    FCP: 'first-contentful-paint',
    LCP: 'largest-contentful-paint',
    TBT: 'total-blocking-time',
    CLS: 'cumulative-layout-shift',
  }
  return Object.entries(names).map(([name, id]) => `${name} ${audits[id]?.displayValue ?? '?'}`)
}
