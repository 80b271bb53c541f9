import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { NOBODY, type PostgresUser } from '#database/embedded/postgres-user.ts'
import { readPostmaster } from '#database/embedded/postmaster.ts'
import { collectPrograms } from './find-tools.ts'
import {
  balancerConfiguration,
  haproxyConfiguration,
  type NodePorts,
  patroniConfiguration,
} from './pair-configuration.ts'

const READY_TIMEOUT_MS = 90_000
const STOP_TIMEOUT_MS = 10_000

/** How a machine goes: at once, with all that runs on it; or it stands still, and every connection stays open. */
export type Loss = 'killed' | 'frozen'

export type PatroniPair = {
  /** Of a database, through haproxy, as its superuser. */
  url(database: string): string
  /** What of PostgreSQL it is. */
  programs: string
  /** Waits until one is the primary and the other its synchronous standby. */
  untilWhole(): Promise<void>
  /** Takes the primary's machine away. Answers what puts a new one in its place, with an empty disk. */
  losePrimary(loss: Loss): Promise<() => Promise<void>>
  /** Lets the pair swap, as before maintenance. */
  switchOver(): Promise<void>
  /** Puts a haproxy before the dashboards. */
  startBalancer(port: number, dashboards: readonly number[]): Promise<void>
  stop(): Promise<void>
}

type Node = { name: string; ports: NodePorts; data: string; patroni: ChildProcess }

const clusterSchema = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })),
})

/** One etcd, two machines of Patroni with synchronous replication, and haproxy before them: all on loopback, as an ordinary user. */
export async function startPatroniPair(password: string): Promise<PatroniPair> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-failover-'))
  await chmod(folder, 0o755)
  const user: PostgresUser | undefined = process.getuid?.() === 0 ? NOBODY : undefined
  if (user) await chown(folder, user.uid, user.gid)
  const { bin, name: programs } = await collectPrograms(folder, user)
  const children = new Set<ChildProcess>()
  const run = (name: string, program: string, args: readonly string[]) => {
    const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' })
    const child = spawn(program, args, {
      ...user,
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C.UTF-8', HOME: folder },
    })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    child.on('error', () => {})
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }
  const write = async (name: string, text: string) => {
    const file = join(folder, name)
    await writeFile(file, text, { mode: 0o600 })
    if (user) await chown(file, user.uid, user.gid)
    return file
  }

  const [client, peer, haproxyPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const nodes: Node[] = []
  async function stop(): Promise<void> {
    for (const node of nodes) await endMachine(node, 'SIGKILL')
    const left = [...children]
    for (const child of left) child.kill('SIGTERM')
    await Promise.race([Promise.all(left.map((child) => once(child, 'exit'))), sleep(STOP_TIMEOUT_MS)])
    for (const child of children) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const etcd = `http://127.0.0.1:${client}`
    run('etcd', 'etcd', [
      ...['--data-dir', join(folder, 'etcd'), '--log-level', 'error', '--name', 'one'],
      ...['--listen-client-urls', etcd, '--advertise-client-urls', etcd],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-cluster', `one=http://127.0.0.1:${peer}`],
    ])
    const ports = []
    for (const name of ['a', 'b']) {
      const own = { postgres: await findFreePort(), rest: await findFreePort() }
      ports.push(own)
      const data = join(folder, `data-${name}`)
      const file = await write(
        `${name}.yml`,
        patroniConfiguration({ name, ports: own, data, bin, etcd: client, password }),
      )
      nodes.push({ name, ports: own, data, patroni: run(name, 'patroni', [file]) })
      // The first makes the cluster, the second copies it.
      if (name === 'a')
        await until('The first PostgreSQL', async () => (await primaryOf(nodes)) !== undefined)
    }
    run('haproxy', 'haproxy', [
      '-db',
      '-f',
      await write('haproxy.cfg', haproxyConfiguration(haproxyPort, ports)),
    ])
  } catch (error) {
    await stop()
    throw error
  }

  async function untilWhole(): Promise<void> {
    await until('The pair', async () => {
      const primary = await primaryOf(nodes)
      const members = primary ? await membersOf(primary) : []
      return members.some(({ role, state }) => role === 'sync_standby' && /running|streaming/.test(state))
    })
  }

  return {
    url: (database) => `postgres://postgres:${password}@127.0.0.1:${haproxyPort}/${database}`,
    programs,
    untilWhole,
    async losePrimary(loss) {
      const primary = await requirePrimary(nodes)
      const pids = await endMachine(primary, loss === 'killed' ? 'SIGKILL' : 'SIGSTOP')
      return async () => {
        for (const pid of pids) signal(pid, 'SIGKILL')
        await until('What was lost', async () => !(await isAnyAlive(pids)))
        await rm(primary.data, { recursive: true, force: true })
        primary.patroni = run(primary.name, 'patroni', [join(folder, `${primary.name}.yml`)])
      }
    },
    async switchOver() {
      const primary = await requirePrimary(nodes)
      const response = await fetch(`http://127.0.0.1:${primary.ports.rest}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: primary.name }),
      })
      if (!response.ok) throw new Error(`Patroni refused to swap: ${await response.text()}`)
    },
    async startBalancer(port, dashboards) {
      run('balancer', 'haproxy', [
        '-db',
        '-f',
        await write('balancer.cfg', balancerConfiguration(port, dashboards)),
      ])
    },
    stop,
  }
}

async function primaryOf(nodes: readonly Node[]): Promise<Node | undefined> {
  for (const node of nodes) if ((await ask(node, '/primary'))?.ok) return node
  return undefined
}

async function requirePrimary(nodes: readonly Node[]): Promise<Node> {
  const primary = await primaryOf(nodes)
  if (!primary) throw new Error('Neither of the pair is the primary')
  return primary
}

async function membersOf(node: Node) {
  const response = await ask(node, '/cluster')
  return response?.ok ? clusterSchema.parse(await response.json()).members : []
}

function ask({ ports }: Node, path: string): Promise<Response | null> {
  return fetch(`http://127.0.0.1:${ports.rest}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(
    () => null,
  )
}

/** Patroni, PostgreSQL and all its backends, which are this measurement's own, at one time. Answers their ids. */
async function endMachine(node: Node, how: 'SIGKILL' | 'SIGSTOP'): Promise<number[]> {
  const postmaster = await readPostmaster(node.data)
  const backends = postmaster ? await childrenOf(postmaster.pid) : []
  const pids = [node.patroni.pid, postmaster?.pid, ...backends].filter((pid) => pid !== undefined)
  for (const pid of pids) signal(pid, how)
  return pids
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map(Number)
}

function signal(pid: number, how: 'SIGKILL' | 'SIGSTOP'): void {
  try {
    process.kill(pid, how)
  } catch {
    // It has ended by itself.
  }
}

async function isAnyAlive(pids: readonly number[]): Promise<boolean> {
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    if (status !== '' && !/\) [ZX] /.test(status)) return true
  }
  return false
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (await isSo()) return
    await sleep(100)
  }
  throw new Error(`${what} did not come to be within ${READY_TIMEOUT_MS / 1_000} s`)
}
