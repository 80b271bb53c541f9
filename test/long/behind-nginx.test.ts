import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { viewFeedSchema, viewSchema } from '#contract/bff/view.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import type { Cluster } from '#database/embedded/start-cluster.ts'
import { openDatabase } from '#database/open-database.ts'
import { makeDataDir } from '../support/data-dir.ts'
import { writeNginxConf } from '../support/proxy-configuration.ts'
import {
  makeSharedSettings,
  type SharedSettings,
  startSharedCluster,
  THREAT,
} from '../support/several-nodes.ts'
import { ADMIN, type RunningLantern, startLantern } from '../support/start-lantern.ts'
import {
  type Answer,
  describeLoad,
  type Note,
  REQUESTS_PER_SECOND,
  startLoad,
} from '../support/steady-load.ts'

const NODES = 3
const STOPPED_MS = 12_000
/** What a node that stands still may cost one request. */
const STALL_MAX_MS = 3_000
/** Of the 5 s between SIGTERM and the end of its listener, as one who looks now and then sees them. */
const SERVED_MIN_MS = 4_000

let cluster: Cluster
beforeAll(async () => {
  requireNginx()
  const shared = await startSharedCluster()
  cluster = shared.cluster
  return shared.remove
}, 60_000)

test('an upgrade of three nodes, one after the other, fails no request', { timeout: 300_000 }, async ({
  annotate,
}) => {
  const team = await startTeam()
  const load = startLoad(team.ask)
  await sleep(2_000)
  for (let at = 0; at < NODES; at++) {
    const servedMs = await team.replace(at)
    expect(servedMs).toBeGreaterThan(SERVED_MIN_MS)
    await sleep(2_000)
  }
  const answers = await load.stop()
  await annotate(describeLoad(answers))
  expect(answers.filter(({ status }) => status === null || status >= 400)).toEqual([])
  expect(answers.length).toBeGreaterThan(REQUESTS_PER_SECOND * NODES * 5)
  await expectNotesOnce(team, answers)
})

test('a stopped node delays no request by more than 3 s, and no write is repeated', {
  timeout: 300_000,
}, async ({ annotate }) => {
  const team = await startTeam()
  const load = startLoad(team.ask)
  await sleep(2_000)
  const stopped = team.nodes[1]?.child ?? expect.fail()
  stopped.kill('SIGSTOP')
  await sleep(STOPPED_MS)
  const answers = await load.stop()
  stopped.kill('SIGCONT')
  await annotate(describeLoad(answers))
  expect(answers.filter(({ durationMs }) => durationMs > STALL_MAX_MS)).toEqual([])
  // A read is tried at the next node; a write that the still one may have taken is the client's to repeat.
  const failed = answers.filter(({ status }) => status === null || status >= 400)
  expect(failed.filter(({ isWrite, status }) => !isWrite || status !== 504)).toEqual([])
  // Some have met it, and few: it is given less the longer it holds what it has.
  const slow = answers.filter(({ durationMs }) => durationMs > 2_000)
  expect(slow.length).toBeGreaterThan(0)
  expect(slow.length).toBeLessThan(answers.length / 20)
  for (const { note } of failed)
    if (note) await expect.poll(() => repeat(team, note), { timeout: 20_000 }).toBe(200)
  await expectNotesOnce(team, answers)
})

test('the address of a feed is in no log of nginx, whatever becomes of the request', {
  timeout: 120_000,
}, async () => {
  const team = await startTeam(1)
  const created = await team.ask('POST', '/bff/views', {
    name: 'Watched',
    filter: {},
    timeZone: 'UTC',
    isShared: false,
  })
  const { id } = viewSchema.parse(JSON.parse(created.text))
  const opened = await team.ask('POST', `/bff/views/${id}/feed`, {})
  const url = new URL(viewFeedSchema.parse(JSON.parse(opened.text)).address)
  const token = url.pathname.slice('/feeds/'.length, -'.atom'.length)
  expect(token).toHaveLength(43)
  expect((await team.ask('GET', url.pathname)).status).toBe(200)
  expect((await team.ask('GET', `/bff${url.pathname}`)).status).toBe(200)
  expect((await team.askHttp(url.pathname)).status).toBe(301)
  expect((await team.askHttp(`/bff${url.pathname}`)).status).toBe(301)
  expect((await team.askHttp(url.pathname, team.https)).status).toBe(400)
  expect((await team.askHttp('/?marker=plain', team.https)).status).toBe(400)
  expect((await team.ask('GET', '/threats?marker=logged')).status).toBe(200)
  await Promise.all(team.nodes.map((node) => node.stop('SIGKILL')))
  expect((await team.ask('GET', url.pathname)).status).toBe(502)
  expect((await team.ask('GET', '/bff/session')).status).toBe(502)

  const logs = `${await readFile(join(team.folder, 'access.log'), 'utf8')}${await readFile(join(team.folder, 'error.log'), 'utf8')}`
  for (const marker of ['marker=logged', 'marker=plain']) expect(logs).toContain(marker)
  expect(logs).toMatch(/connect\(\) failed .*\/bff\/session/)
  expect(logs).not.toContain(token)
})

function requireNginx(): void {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
  } catch {
    throw new Error(
      'nginx is not installed, and deploy/nginx.conf is tested with it: apt-get install nginx-light',
    )
  }
}

type Team = Awaited<ReturnType<typeof startTeam>>

/** Nodes on one database, behind nginx with the file of `deploy`. */
async function startTeam(count = NODES) {
  const ports = await Promise.all(Array.from({ length: count }, () => findFreePort()))
  const [https, http] = [await findFreePort(), await findFreePort()]
  const shared = await makeSharedSettings(cluster)
  const nodes: RunningLantern[] = []
  const start = (port: number) => startNode(port, shared, https)
  for (const port of ports) nodes.push(await start(port))
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  })
  const folder = await mkdtemp(join(tmpdir(), 'lantern-nginx-'))
  await startNginx(await writeNginxConf(folder, { https, http, lantern: ports }), folder)

  const dispatcher = new Agent({
    connect: { servername: 'lantern.example', rejectUnauthorized: false },
    headersTimeout: 60_000,
  })
  onTestFinished(() => dispatcher.destroy())
  let cookie = ''
  async function ask(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) {
    const answer = await request(`https://127.0.0.1:${https}${path}`, {
      dispatcher,
      method,
      headers: {
        host: `lantern.example:${https}`,
        cookie,
        'x-lantern': '1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
  }
  const askHttp = async (path: string, port = http) => {
    const headers = { host: 'lantern.example' }
    return fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' })
  }
  await expect
    .poll(() =>
      ask('GET', '/readyz').then(
        ({ status }) => status,
        () => null,
      ),
    )
    .toBe(200)
  const signedIn = await ask('POST', '/bff/sign-in', ADMIN)
  expect(signedIn.status, signedIn.text).toBe(200)
  cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? ''

  /** As docs/operating/install.md has it. Returns how long the old one has served after it was told to stop. */
  async function replace(at: number): Promise<number> {
    const [node, port] = [nodes[at], ports[at]]
    if (!node || port === undefined) return expect.fail()
    const stoppedAtMs = performance.now()
    const stopping = node.stop('SIGTERM')
    await expect.poll(() => readiness(port), { interval: 50 }).toEqual({ ready: 503, alive: 200 })
    let servedMs = 0
    for (let isServing = true; isServing; await sleep(100)) {
      isServing = await readiness(port).then(
        (now) => {
          servedMs = performance.now() - stoppedAtMs
          expect(now).toEqual({ ready: 503, alive: 200 })
          return true
        },
        () => false,
      )
    }
    expect(await stopping).toBe(0)
    nodes[at] = await start(port)
    return servedMs
  }
  return { nodes, folder, https, url: shared.DATABASE_URL, ask, askHttp, replace }
}

async function startNode(port: number, shared: SharedSettings, https: number): Promise<RunningLantern> {
  const dataDir = await makeDataDir()
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return startLantern({
    dataDir,
    settings: {
      ...shared,
      PORT: String(port),
      PUBLIC_URL: `https://lantern.example:${https}`,
      TRUSTED_PROXIES: '127.0.0.1/32',
    },
  })
}

async function readiness(port: number): Promise<{ ready: number; alive: number }> {
  const [ready, alive] = [
    await fetch(`http://127.0.0.1:${port}/readyz`),
    await fetch(`http://127.0.0.1:${port}/healthz`),
  ]
  return { ready: ready.status, alive: alive.status }
}

async function startNginx(file: string, folder: string): Promise<ChildProcess> {
  const nginx = spawn('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(async () => {
    const ended = once(nginx, 'exit')
    if (nginx.exitCode === null && nginx.kill('SIGTERM')) await ended
    await rm(folder, { recursive: true, force: true })
  })
  return nginx
}

async function repeat({ ask }: Team, note: Note): Promise<number> {
  return (await ask('POST', '/bff/triage', { action: 'note', ids: [THREAT], ...note })).status
}

async function expectNotesOnce({ url }: Team, answers: readonly Answer[]): Promise<void> {
  const sent = answers.flatMap(({ note }) => (note ? [note.text] : []))
  expect(sent.length).toBeGreaterThan(10)
  const database = await openDatabase({ url })
  onTestFinished(database.close)
  const readNotes = async () => {
    const { rows } = await database.query(`select text from triage_event where action = 'note'`)
    return rows.map((row) => z.object({ text: z.string() }).parse(row).text).sort()
  }
  await expect.poll(readNotes, { timeout: 20_000 }).toEqual(sent.sort())
}
