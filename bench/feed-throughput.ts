import { isInstalled } from '#test/support/is-installed.ts'
import { startBare } from './bare-peer.ts'
import { loadWith, median } from './load.ts'
import { startNginx } from './nginx-peer.ts'

const ROUNDS = 5
const ROUND_SECONDS = 3
const WARM_UP_SECONDS = 2

export type SignedInReader = { origin: URL; cookie: string }

/**
 * The signed-in cached feed against bare `node:http` that answers the same bytes, in alternating rounds of one run;
 * prints the ratio and the rates. nginx `proxy_cache` is printed beside them where it is installed.
 */
export async function measureFeedThroughput({ origin, cookie }: SignedInReader): Promise<void> {
  console.log('\nSigned-in cached feed, requests a second (one process each, 64 connections)')
  if (!(await isInstalled('wrk'))) {
    console.log('  not measured: install wrk (Debian: apt-get install wrk)')
    return
  }
  const headers = { 'x-lantern': '1', cookie, 'accept-encoding': 'identity' }
  const feed = new URL('/bff/threats', origin).href
  const body = await readBody(feed, headers)
  const bare = await startBare(await readHeaders(feed, headers), body)
  const nginx = (await isInstalled('nginx')) ? await startNginx(origin) : null
  try {
    const peers = [
      { name: 'lantern', url: feed },
      { name: 'node:http', url: bare.url },
      ...(nginx ? [{ name: 'nginx', url: `${nginx.url}/bff/threats` }] : []),
    ].map((peer) => ({ ...peer, rates: Array.of<number>() }))
    let failures = 0
    for (const { name, url } of peers) {
      const size = (await readBody(url, headers)).byteLength
      if (size !== body.byteLength) throw new Error(`${name} answers ${size} bytes, not ${body.byteLength}`)
      await loadWith(url, headers, WARM_UP_SECONDS)
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { url, rates } of peers) {
        const load = await loadWith(url, headers, ROUND_SECONDS)
        failures += load.failures
        rates.push(load.requestsPerSecond)
      }
    }
    console.log(`  body       ${body.byteLength.toLocaleString('en')} bytes of JSON`)
    for (const { name, rates } of peers)
      console.log(`  ${name.padEnd(10)} ${Math.round(median(rates)).toLocaleString('en')}`)
    const [lantern, node] = peers.map(({ rates }) => rates)
    const ratio = median((lantern ?? []).map((rate, round) => rate / (node?.[round] ?? Number.NaN)))
    console.log(
      `  ratio      ${ratio.toFixed(2)} of node:http (median of ${ROUNDS} rounds; target 0.80 or more)`,
    )
    if (failures > 0) console.log(`  ${failures} answers were errors: the figures above do not count`)
  } finally {
    await bare.stop()
    await nginx?.stop()
  }
}

/** As they were sent, but for those of the connection, which every server adds by itself. */
async function readHeaders(url: string, headers: Record<string, string>): Promise<Record<string, string>> {
  const sent = new Headers((await fetch(url, { headers })).headers)
  for (const name of ['connection', 'date', 'keep-alive', 'transfer-encoding']) sent.delete(name)
  return Object.fromEntries(sent)
}

async function readBody(url: string, headers: Record<string, string>): Promise<Buffer> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}
