import { Random } from '#test/support/random.ts'
import { withBenchDatabase } from './bench-database.ts'
import { startCountingVendor } from './counting-vendor.ts'
import { startMeasuredBff } from './measured-bff.ts'
import { planViews, type View } from './plan-views.ts'

const PEOPLE = 20
const VIEWS = 5_000
const TARGET = 1

type Person = { ask(path: string): Promise<Response> }

/** Calls of the vendor that page views cost, through Lantern and through a proxy that passes every request on. */
export async function measureCallsPerView(): Promise<void> {
  console.log(`\nUpstream calls per 1,000 page views (${PEOPLE} people, ${VIEWS.toLocaleString('en')} views)`)
  await withBenchDatabase('bff', async (database) => {
    const vendor = await startCountingVendor()
    const lantern = await startMeasuredBff(database, vendor.url)
    try {
      const people: Person[] = []
      while (people.length < PEOPLE) {
        const cookie = await lantern.signIn()
        people.push({ ask: (path) => lantern.ask(path, cookie) })
      }
      const views = planViews(VIEWS, new Random(5))
      // The steady state: the window is filled, and each of these pages has been opened by somebody a moment ago.
      const opened = [...new Map(views.map((view) => [view.pages.join(), view])).values()]
      const first = await countCalls(vendor.calls, () => browse(people, opened))
      const startedMs = performance.now()
      const steady = await countCalls(vendor.calls, () => browse(people, views))
      const seconds = Math.round((performance.now() - startedMs) / 1_000)
      const plain = await countCalls(vendor.calls, () => passThrough(vendor.url, views))
      report({ pages: opened.length, first, steady, plain, seconds })
    } finally {
      await lantern.close()
      await vendor.close()
    }
  })
}

function report(calls: { pages: number; first: number; steady: number; plain: number; seconds: number }) {
  const per1000 = (calls.steady * 1_000) / VIEWS
  console.log(
    `  lantern   ${per1000.toFixed(1)} (all calls, the reader's as well, within ${calls.seconds} s)`,
  )
  console.log(`  proxy     ${((calls.plain * 1_000) / VIEWS).toFixed(0)}`)
  console.log(`  ${per1000 <= TARGET ? 'met' : 'MISSED'}: target ${TARGET} or less in the steady state`)
  console.log(
    `  the first opening of the ${calls.pages} pages among them cost ${calls.first} calls; again a call or two for`,
  )
  console.log('  a detail after 10 minutes, metrics after 5, profiles after 10, a country after 6 hours')
}

/** Everybody reads one page after the other, all at the same time. */
async function browse(people: readonly Person[], views: readonly View[]): Promise<void> {
  await Promise.all(
    people.map(async ({ ask }, at) => {
      for (const { pages } of views.filter((_, index) => index % people.length === at)) {
        for (const path of pages) {
          const response = await ask(path)
          await response.arrayBuffer()
          if (!response.ok) throw new Error(`${path} answered ${response.status}`)
        }
      }
    }),
  )
}

/** The peer: what a page shows is read from the vendor each time. */
async function passThrough(url: string, views: readonly View[]): Promise<void> {
  for (const { calls } of views) {
    await Promise.all(calls.map(async (path) => (await fetch(`${url}${path}`)).arrayBuffer()))
  }
}

async function countCalls(calls: () => number, run: () => Promise<void>): Promise<number> {
  const before = calls()
  await run()
  return calls() - before
}
