import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { openDatabase } from '#database/open-database.ts'
import { createKey } from '#service/keys/create-key.ts'
import { environmentWith } from '#settings/settings.ts'
import { buildAppIfNeeded } from '#start/build-app.ts'
import { openMigrated } from '#start/open-migrated.ts'
import { makeDataDir } from '#test/support/data-dir.ts'
import { ADMIN, type RunningLantern, startLantern } from '#test/support/start-lantern.ts'
import { untilFilled } from '../../support/until-filled.ts'
import { verdict } from '../../support/verdict.ts'
import { listMissingPackages } from './find-tools.ts'
import { CHECK_S, TTL_S } from './pair-configuration.ts'
import { type PatroniPair, startPatroniPair } from './patroni-pair.ts'
import { startTeam, type Team } from './team.ts'

const DASHBOARDS = 3
const SECRET = 'of the measurement: q8Zr2 Lw0 xN5 vT7 bK1'
const PASSWORD = 'of-the-measurement'
/** How long a round is watched for before and after. */
const CALM_MS = 3_000
/** Patroni gives a primary up that it has not heard of for its TTL; then a standby is promoted, and haproxy looks. */
const HEAL_MAX_MS = (TTL_S + 5 * CHECK_S + 5) * 1_000
const SWAP_MAX_MS = 15_000
/** A dashboard that leads and dies: the next candidate asks every 3 s. */
const TAKEN_OVER_MAX_MS = 10_000
/** One that says nothing any more is forgotten after 20 s. */
const FORGOTTEN_MAX_MS = 30_000
const READ_MAX_MS = 5_000

const ROUNDS = [
  { name: 'the primary is killed (kill -9)', loss: 'killed', healMaxMs: HEAL_MAX_MS },
  {
    name: 'the primary stands still, its connections stay open (SIGSTOP)',
    loss: 'frozen',
    healMaxMs: HEAL_MAX_MS,
  },
  { name: 'the primary is killed again', loss: 'killed', healMaxMs: HEAL_MAX_MS },
  { name: 'the pair swaps, as before maintenance', loss: 'swap', healMaxMs: SWAP_MAX_MS },
] as const
type Round = (typeof ROUNDS)[number]

const electedSchema = z.object({ time: z.iso.datetime(), event: z.literal('sync-elected') })
const listSchema = z.object({ threats: z.array(z.object({ id: z.string() })) })

type Stage = {
  pair: PatroniPair
  dashboards: readonly RunningLantern[]
  /** Where people go: to each dashboard, and to what is before them all. */
  origins: readonly string[]
}

/** What a team loses while the machine of its database does: three dashboards and a service on a pair of Patroni behind haproxy. */
export async function proveFailover(): Promise<void> {
  const missing = await listMissingPackages()
  if (missing.length > 0) {
    console.log(
      `\nFailover: not measured. Debian's packages are missing: apt-get install ${missing.join(' ')}`,
    )
    process.exitCode = 1
    return
  }
  await buildAppIfNeeded()
  const pair = await startPatroniPair(PASSWORD)
  const closers: (() => Promise<unknown>)[] = [pair.stop]
  const closeAll = async () => {
    for (let close = closers.shift(); close; close = closers.shift()) await close()
  }
  // What it has started would go on without it.
  const interrupt = () => void closeAll().finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    await pair.untilWhole()
    const apiKey = await prepareDatabases(pair)
    const service = await startServiceApart(pair.url('service'))
    closers.unshift(service.stop)
    const publicPort = await findFreePort()
    const start = () =>
      startLantern({
        settings: {
          DATABASE_URL: pair.url('lantern'),
          UPSTREAM_URL: service.url,
          UPSTREAM_API_KEY: apiKey,
          PUBLIC_URL: `http://localhost:${publicPort}`,
          SECRET,
        },
      })
    const dashboards: RunningLantern[] = []
    for (let at = 1; at <= DASHBOARDS; at++) {
      const dashboard = await start()
      dashboards.push(dashboard)
      closers.unshift(() => dashboard.stop())
    }
    console.log(
      `\nFailover: ${DASHBOARDS} dashboards and a service on ${pair.programs}, a synchronous pair of Patroni (ttl ${TTL_S} s) behind haproxy (asks every ${CHECK_S} s)`,
    )
    const ports = dashboards.map(({ url }) => Number(new URL(url).port))
    await pair.startBalancer(publicPort, ports)
    const origins = [...ports.map((port) => `http://127.0.0.1:${port}`), `http://localhost:${publicPort}`]
    await measureRounds({ pair, dashboards, origins })
  } finally {
    await closeAll()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
}

async function measureRounds({ origins, ...stage }: Stage): Promise<void> {
  const [origin = ''] = origins
  const cookie = await signIn(origin)
  const ask = (path: string) => fetch(`${origin}${path}`, { headers: { 'x-lantern': '1', cookie } })
  await untilFilled(() => ask('/bff/source'))
  const { threats } = listSchema.parse(await (await ask(`/bff/threats`)).json())
  const team = startTeam(origins, { cookie, threats: threats.map(({ id }) => id) })
  for (const round of ROUNDS) await measureRound(round, { ...stage, team })
  for (const how of ['SIGSTOP', 'SIGKILL'] as const) await measureLostLeader(how, stage.dashboards, team)

  const { notes, stars, lost, doubled } = await team.stop()
  const refused = [...team.refusals].map(([why, times]) => `${times} of ${why}`).join(', ') || 'none'
  console.log(
    `  ${notes} notes and ${stars} stars were acknowledged; tries that were not, and came again: ${refused}`,
  )
  say(lost === 0, `${lost} acknowledged writes are lost`)
  say(doubled === 0, `${doubled} notes are there twice`)
}

type Scene = Omit<Stage, 'origins'> & { team: Team }

async function measureRound(round: Round, { pair, dashboards, team }: Scene): Promise<void> {
  await sleep(CALM_MS)
  const lostAt = { ms: performance.now(), time: Date.now() }
  const bringBack = round.loss === 'swap' ? await pair.switchOver() : await pair.losePrimary(round.loss)
  await untilWritten(team, performance.now())
  const electedMs = await untilElected(dashboards, lostAt.time, HEAL_MAX_MS)
  await sleep(CALM_MS)
  await bringBack?.()
  await sleep(CALM_MS)
  await pair.untilWhole()

  console.log(`  ${round.name}`)
  const silentMs = longestSilence(team, lostAt.ms)
  say(
    silentMs <= round.healMaxMs,
    `  no write was acknowledged for ${seconds(silentMs)} (at most ${seconds(round.healMaxMs)})`,
  )
  say(
    electedMs !== null && electedMs <= round.healMaxMs + TAKEN_OVER_MAX_MS,
    `  a dashboard was elected to read the window ${electedMs === null ? 'never' : `after ${seconds(electedMs)}`} (at most ${seconds(round.healMaxMs + TAKEN_OVER_MAX_MS)})`,
  )
  sayReads(team, lostAt.ms)
}

/** The dashboard that reads the window goes: its connections end at once, or stay open though nobody is behind them. */
async function measureLostLeader(
  how: 'SIGKILL' | 'SIGSTOP',
  dashboards: readonly RunningLantern[],
  team: Team,
) {
  const maxMs = how === 'SIGKILL' ? TAKEN_OVER_MAX_MS : FORGOTTEN_MAX_MS
  const leader = dashboards.toSorted((a, b) => (lastElected(b) ?? 0) - (lastElected(a) ?? 0))[0]
  const others = dashboards.filter((dashboard) => dashboard !== leader)
  const [lostAt, lostMs] = [Date.now(), performance.now()]
  leader?.child.kill(how)
  const electedMs = await untilElected(others, lostAt, maxMs)
  console.log(
    `  the dashboard that reads the window ${how === 'SIGKILL' ? 'is killed (kill -9)' : 'stands still (SIGSTOP)'}`,
  )
  say(
    electedMs !== null,
    `  another one was elected ${electedMs === null ? 'never' : `after ${seconds(electedMs)}`} (at most ${seconds(maxMs)})`,
  )
  const behind = team.reads.filter(({ atMs, origin }) => atMs > lostMs && origin === team.balancer)
  const failed = behind.filter(({ status }) => status !== 200)
  console.log(`         of ${behind.length} pages read through the load balancer ${failed.length} failed`)
  leader?.child.kill('SIGCONT')
  await untilWritten(team, performance.now())
}

function sayReads(team: Team, sinceMs: number): void {
  const reads = team.reads.filter(({ atMs }) => atMs > sinceMs)
  const failed = reads.filter(({ status }) => status !== 200)
  const slowest = Math.max(0, ...reads.map(({ tookMs }) => tookMs))
  const labelled = reads.filter(({ isLabelled }) => isLabelled).length
  const kinds = Object.entries(Object.groupBy(failed, ({ path, status }) => `${path} ${status}`))
  const named = kinds.map(([kind, all]) => `${all?.length} of ${kind}`).join(', ')
  say(
    failed.length === 0,
    `  of ${reads.length} pages read ${failed.length} failed${named && `: ${named}`}; ${labelled} were labelled as old`,
  )
  say(slowest <= READ_MAX_MS, `  the slowest page took ${seconds(slowest)} (at most ${seconds(READ_MAX_MS)})`)
}

/** Until each of the writers has had one acknowledged that began after that time. */
async function untilWritten({ writes }: Team, sinceMs: number): Promise<void> {
  const isBack = () =>
    new Set(writes.filter((write) => write.atMs - write.tookMs > sinceMs).map(({ writer }) => writer))
  while (isBack().size <= DASHBOARDS) await sleep(20)
}

function longestSilence({ writes }: Team, sinceMs: number): number {
  const times = [sinceMs, ...writes.map(({ atMs }) => atMs).filter((atMs) => atMs > sinceMs)]
  return Math.max(...times.map((time, at) => time - (times[at - 1] ?? time)))
}

async function untilElected(
  dashboards: readonly RunningLantern[],
  since: number,
  maxMs: number,
): Promise<number | null> {
  const deadline = Date.now() + maxMs
  while (Date.now() < deadline) {
    const elected = dashboards.map(lastElected).filter((time) => time !== null && time >= since)
    if (elected[0]) return elected[0] - since
    await sleep(50)
  }
  return null
}

function lastElected({ output }: RunningLantern): number | null {
  const line = output()
    .split('\n')
    .findLast((text) => text.includes('"sync-elected"'))
  return line === undefined ? null : Date.parse(electedSchema.parse(JSON.parse(line)).time)
}

async function signIn(origin: string): Promise<string> {
  const response = await fetch(`${origin}/bff/sign-in`, {
    method: 'POST',
    headers: { 'x-lantern': '1', 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  const cookie = response.headers.getSetCookie().at(0)?.split(';').at(0)
  if (!response.ok || !cookie) throw new Error(`Sign-in answered ${response.status}`)
  return cookie
}

/** Both databases, and a key of the service. */
async function prepareDatabases(pair: PatroniPair): Promise<string> {
  const administrator = await openDatabase({ url: pair.url('postgres'), max: 1 })
  for (const name of ['lantern', 'service']) await administrator.query(`create database ${name}`)
  await administrator.close()
  const service = await openMigrated('service', pair.url('service'))
  const plans = { earlierPlan: 'enterprise', v1Plan: 'defend' } as const
  const { token } = await createKey(service, { account: 'team', name: 'The dashboards', ...plans })
  await service.close()
  return token
}

/** The reference service as a process of its own, which all dashboards ask. */
async function startServiceApart(databaseUrl: string): Promise<{ url: string; stop(): Promise<unknown> }> {
  const port = await findFreePort()
  const dataDir = await makeDataDir()
  const child: ChildProcess = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../src/commands/service.ts', import.meta.url))],
    {
      detached: true,
      stdio: 'ignore',
      env: environmentWith({
        SERVICE_PORT: String(port),
        SERVICE_DATABASE_URL: databaseUrl,
        DATA_DIR: dataDir,
        SECRET,
      }),
    },
  )
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    )
  while (child.exitCode === null && !(await isUp())) await sleep(100)
  if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}`)
  return {
    url,
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(dataDir, { recursive: true })
    },
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function say(isMet: boolean, what: string): void {
  if (!isMet) process.exitCode = 1
  console.log(`  ${verdict(isMet)} ${what}`)
}
