import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isInstalled } from '#test/support/is-installed.ts'
import { median } from './percentile.ts'

const BARE_SERVER = fileURLToPath(new URL('bare-server.ts', import.meta.url))
const ROUNDS = 5
const ROUND_SECONDS = 3
const WARM_UP_SECONDS = 2

export type SignedInReader = { origin: URL; cookie: string }

/**
 * The signed-in cached feed against bare `node:http` that answers the same bytes, in alternating rounds of one run;
 * prints the ratio and the rates.
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
  try {
    const peers = [
      { name: 'lantern', url: feed },
      { name: 'node:http', url: bare.url },
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

type Load = { requestsPerSecond: number; failures: number }

/** Keeps 64 connections busy with wrk, which leaves the second core to the server. */
async function loadWith(url: string, headers: Record<string, string>, seconds: number): Promise<Load> {
  const headerArguments = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    '-c64',
    `-d${seconds}s`,
    ...headerArguments,
    url,
  ])
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]
  if (!rate) throw new Error(`wrk told no rate:\n${stdout}`)
  const failures = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1]
  return { requestsPerSecond: Number(rate), failures: Number(failures ?? 0) }
}

/** A bare `node:http` in a process of its own that answers every request with these headers and bytes. */
async function startBare(
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [BARE_SERVER, JSON.stringify(headers)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(body)
  const [port] = await once(child.stdout, 'data')
  return {
    url: `http://127.0.0.1:${Number(port)}`,
    async stop() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}
