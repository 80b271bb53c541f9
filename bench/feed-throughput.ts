import { isInstalled, type Load, loadWith, median } from './load.ts'
import { startNginx } from './nginx-peer.ts'

const ROUNDS = 5
const ROUND_SECONDS = 3
const WARM_UP_SECONDS = 2

export type SignedInReader = { origin: URL; cookie: string }

/** The signed-in cached feed against nginx `proxy_cache`, in alternating rounds of one run; prints the ratio and both rates. */
export async function measureFeedThroughput({ origin, cookie }: SignedInReader): Promise<void> {
  console.log('\nSigned-in cached feed, requests a second (one process each, 64 connections)')
  const missing = (
    await Promise.all(['nginx', 'wrk'].map(async (name) => ((await isInstalled(name)) ? [] : [name])))
  ).flat()
  if (missing.length > 0) {
    console.log(`  not measured: install ${missing.join(' and ')} (Debian: apt-get install nginx-light wrk)`)
    return
  }

  const headers = { 'x-lantern': '1', cookie, 'accept-encoding': 'identity' }
  const nginx = await startNginx(origin)
  try {
    const lanternFeed = new URL('/bff/threats', origin).href
    const nginxFeed = `${nginx.url}/bff/threats`
    const bytes = await warmUp([lanternFeed, nginxFeed], headers)

    const rounds: { lantern: Load; nginx: Load }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        lantern: await loadWith(lanternFeed, headers, ROUND_SECONDS),
        nginx: await loadWith(nginxFeed, headers, ROUND_SECONDS),
      })
    }
    report(rounds, bytes)
  } finally {
    await nginx.stop()
  }
}

async function warmUp(urls: readonly string[], headers: Record<string, string>): Promise<number> {
  const sizes: number[] = []
  for (const url of urls) {
    const response = await fetch(url, { headers })
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
    sizes.push((await response.arrayBuffer()).byteLength)
    await loadWith(url, headers, WARM_UP_SECONDS)
  }
  const [size, ...others] = sizes
  if (size === undefined || others.some((other) => other !== size))
    throw new Error(`Sizes differ: ${sizes.join(', ')}`)
  return size
}

function report(rounds: readonly { lantern: Load; nginx: Load }[], bytes: number) {
  const failures = rounds.reduce((sum, { lantern, nginx }) => sum + lantern.failures + nginx.failures, 0)
  const lantern = median(rounds.map((round) => round.lantern.requestsPerSecond))
  const nginx = median(rounds.map((round) => round.nginx.requestsPerSecond))
  const ratio = median(rounds.map((round) => round.lantern.requestsPerSecond / round.nginx.requestsPerSecond))
  console.log(`  body      ${bytes.toLocaleString('en')} bytes of JSON`)
  console.log(`  lantern   ${Math.round(lantern).toLocaleString('en')}`)
  console.log(`  nginx     ${Math.round(nginx).toLocaleString('en')}`)
  console.log(`  ratio     ${ratio.toFixed(2)} (median of ${ROUNDS} rounds; target 1.00 or more)`)
  if (failures > 0) console.log(`  ${failures} answers were errors: the figures above do not count`)
}
