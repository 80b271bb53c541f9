import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import * as z from 'zod/mini'
import { auditEventSchema } from '#contract/bff/audit.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { environmentWith } from '#settings/settings.ts'
import { buildAppIfNeeded } from '#start/build-app.ts'
import { isInstalled } from '#test/support/is-installed.ts'
import { type ProxyPorts, writeCaddyfile, writeNginxConf } from '#test/support/proxy-configuration.ts'
import { ADMIN, startLantern } from '#test/support/start-lantern.ts'
import { verdict } from '../support/verdict.ts'

const UP_TIMEOUT_MS = 10_000
const EVENT_MAX_MS = 1_000
/** Another address of this machine than the proxy's: the visitor's. */
const VISITOR = '127.0.0.2'
const INVENTED = '203.0.113.9'

const auditSchema = z.object({ events: z.array(auditEventSchema) })

type Proxy = { name: string; start(folder: string, ports: ProxyPorts): Promise<ChildProcess> }
const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    start: async (folder, ports) =>
      spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', await writeNginxConf(folder, ports)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
  },
  {
    name: 'caddy',
    start: async (folder, ports) =>
      spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', await writeCaddyfile(folder, ports)], {
        stdio: 'ignore',
        env: environmentWith({ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }),
      }),
  },
]

/** Signs in through each proxy's example, over TLS: who is believed to be asking, and when a live event arrives. */
export async function proveProxies(): Promise<void> {
  await buildAppIfNeeded()
  for (const proxy of PROXIES) {
    if (!(await isInstalled(proxy.name))) continue
    const [https, http] = [await findFreePort(), await findFreePort()]
    const origin = `https://lantern.example:${https}`
    const settings = { PUBLIC_URL: origin, TRUSTED_PROXIES: '127.0.0.1/32', DEMO: 'off' }
    const lantern = await startLantern({ settings })
    const folder = await mkdtemp(join(tmpdir(), 'lantern-proxy-'))
    const running = await proxy.start(folder, { https, http, lantern: Number(new URL(lantern.url).port) })
    try {
      await report(proxy.name, https)
    } finally {
      running.kill('SIGTERM')
      if (running.exitCode === null) await once(running, 'exit')
      await lantern.stop()
      await rm(folder, { recursive: true })
    }
  }
}

async function report(name: string, port: number): Promise<void> {
  const dispatcher = new Agent({
    localAddress: VISITOR,
    connect: { servername: 'lantern.example', rejectUnauthorized: false },
  })
  const host = `lantern.example:${port}`
  let cookie = ''
  const ask = (path: string, body?: unknown) =>
    request(`https://127.0.0.1:${port}${path}`, {
      dispatcher,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        host,
        cookie,
        'x-lantern': '1',
        'x-forwarded-for': INVENTED,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
  try {
    await untilUp(() => ask('/readyz'))
    const signedIn = await ask('/bff/sign-in', ADMIN)
    await signedIn.body.dump()
    cookie = String(signedIn.headers['set-cookie'] ?? '').split(';', 1)[0] ?? ''
    say(signedIn.statusCode === 200, `${name}: sign-in over TLS answered ${signedIn.statusCode}`)

    const startedMs = performance.now()
    const live = await ask('/bff/live')
    live.body.on('error', () => {})
    await Promise.race([once(live.body, 'data'), sleep(10 * EVENT_MAX_MS)])
    const tookMs = Math.round(performance.now() - startedMs)
    live.body.destroy()
    say(tookMs < EVENT_MAX_MS, `${name}: the live stream's first words came after ${tookMs} ms`)

    const audit = await ask('/bff/audit?timeZone=UTC&action=sign-in')
    const address = auditSchema.parse(await audit.body.json()).events[0]?.address
    say(
      address === VISITOR,
      `${name}: ${VISITOR}, who says to be ${INVENTED}, is ${address} to the audit log`,
    )
  } finally {
    await dispatcher.destroy()
  }
}

async function untilUp(
  ask: () => Promise<{ statusCode: number; body: { dump(): Promise<void> } }>,
): Promise<void> {
  const deadline = Date.now() + UP_TIMEOUT_MS
  while (Date.now() < deadline) {
    const answer = await ask().catch(() => null)
    await answer?.body.dump()
    if (answer?.statusCode === 200) return
    await sleep(100)
  }
  throw new Error('The proxy did not answer within 10 s')
}

function say(isMet: boolean, what: string): void {
  if (!isMet) process.exitCode = 1
  console.log(`  ${verdict(isMet)} ${what}`)
}
