import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { problemSchema } from '#contract/bff/problem.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { readPostmaster } from '#database/embedded/postmaster.ts'
import { makeDataDir } from '#test/support/data-dir.ts'
import { isInstalled } from '#test/support/is-installed.ts'
import { Random } from '#test/support/random.ts'
import { type RunningLantern, spawnLantern, startLantern } from '#test/support/start-lantern.ts'
import { verdict } from '../support/verdict.ts'
import { type Ask, createAcknowledgedWrites, createAsk, listThreats, signIn } from './acknowledged-writes.ts'
import { asOrdinaryUser, makeOwnFolder, ROLE_PASSWORD, startOtherPostgres } from './other-postgres.ts'

const execute = promisify(execFile)
const FLAGS = ['--without-app']
const SEED = 11
const PAGES = ['/bff/threats', '/bff/overview', '/bff/actors']
/** A connection waits 5 s, a statement 5 s and its silence another 5 s. */
const ANSWERS_WITHIN_MS = 16_000
const HEALS_WITHIN_MS = 15_000
const FROZEN_FOR_MS = 30_000
const DISK_BYTES = 450_000_000
const FILLER_STEP_BYTES = 1_000_000

type Fault = {
  name: string
  inject(): Promise<void>
  /** How long it is looked at. */
  spanMs: number
  mend(): Promise<void>
}
type Running = { lantern: RunningLantern; ask: Ask; writes: ReturnType<typeof createAcknowledgedWrites> }

/** What people see while the database is frozen, or its disk full, and whether all goes on by itself after. */
export async function proveDatabaseFaults(): Promise<void> {
  console.log('\nFaults of the database while Lantern runs')
  await withLantern({ dataDir: await makeDataDir() }, async (running) => {
    const processes = await listPostgres(running.lantern.dataDir)
    const signalAll = async (signal: NodeJS.Signals) => {
      for (const pid of await listPostgres(running.lantern.dataDir)) process.kill(pid, signal)
    }
    await measureFault(running, {
      name: `frozen: SIGSTOP of PostgreSQL’s ${processes.length} processes for ${FROZEN_FOR_MS / 1_000} s`,
      inject: () => signalAll('SIGSTOP'),
      spanMs: FROZEN_FOR_MS,
      mend: () => signalAll('SIGCONT'),
    })
  })
  if (process.getuid?.() === 0) await measureFullDisk()
  else console.log('  not root: no file system of its own to fill')
  if (await isInstalled('pgbouncer')) await measureBehindPooler()
  else console.log('  not installed: pgbouncer')
}

/** Beside a PostgreSQL of an operator's, behind PgBouncer in session mode. */
async function measureBehindPooler(): Promise<void> {
  const server = await startOtherPostgres()
  const pooler = await startPooler(server)
  const endAll = () =>
    server.admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname in ('lantern', 'service')`,
    )
  const setReadOnly = async (setting: string) => {
    for (const name of ['lantern', 'service']) await server.admin.query(`alter database ${name} ${setting}`)
    await endAll()
  }
  try {
    const settings = pooler.settings
    await withLantern({ dataDir: await makeDataDir(), settings }, async (running) => {
      await measureFault(running, {
        name: 'behind PgBouncer in session mode, which is killed and started again after 10 s',
        inject: () => pooler.kill(),
        spanMs: 10_000,
        mend: () => pooler.start(),
      })
      await measureFault(running, {
        name: 'behind PgBouncer, read-only for 15 s',
        inject: () => setReadOnly('set default_transaction_read_only = on'),
        spanMs: 15_000,
        mend: () => setReadOnly('reset default_transaction_read_only'),
      })
    })
    await pooler.kill()
    await pooler.start('transaction')
    const refused = await spawnLantern({ settings, flags: FLAGS })
    await once(refused.child, 'close')
    const [line = ''] = refused.output().split('\n')
    say(/behind a pooler in transaction mode/.test(line), `in transaction mode a start says: ${line}`)
  } finally {
    await pooler.stop()
    await server.stop()
  }
}

type Server = Awaited<ReturnType<typeof startOtherPostgres>>

async function startPooler(server: Server) {
  const folder = await makeOwnFolder()
  const port = await findFreePort()
  let child: ChildProcess | null = null
  const users = Object.values(server.settings).map((url) => `"${new URL(url).username}" "${ROLE_PASSWORD}"`)
  await writeFile(join(folder, 'users.txt'), users.join('\n'))

  async function start(mode: 'session' | 'transaction' = 'session'): Promise<void> {
    const file = join(folder, 'pgbouncer.ini')
    await writeFile(
      file,
      [
        ...['[databases]', `* = host=127.0.0.1 port=${server.port}`, '[pgbouncer]'],
        ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
        ...['auth_type = scram-sha-256', `auth_file = ${folder}/users.txt`, `pool_mode = ${mode}`],
      ].join('\n'),
    )
    const [program, ...words] = asOrdinaryUser(['pgbouncer', '-q', file])
    child = spawn(program, words, { stdio: 'ignore' })
    await once(child, 'spawn')
  }
  async function kill(): Promise<void> {
    if (!child) return
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
    child = null
  }
  await start()
  const throughPooler = Object.entries(server.settings).map(([name, url]) => [
    name,
    Object.assign(new URL(url), { port: String(port) }).href,
  ])
  return {
    settings: Object.fromEntries(throughPooler),
    start,
    kill,
    async stop() {
      await kill()
      await rm(folder, { recursive: true })
    },
  }
}

async function measureFullDisk(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lantern-disk-'))
  await execute('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=711`, 'lantern-bench', folder])
  const filler = join(folder, 'filler')
  try {
    const dataDir = join(folder, 'data')
    await withLantern({ dataDir }, (running) =>
      measureFault(running, {
        name: `full: nothing is left of a disk of ${DISK_BYTES / 1e6} MB`,
        inject: () => fill(filler),
        spanMs: 30_000,
        mend: () => rm(filler),
      }),
    )
  } finally {
    await execute('umount', [folder])
    await rm(folder, { recursive: true })
  }
}

async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w')
  try {
    // A write that is cut short has filled it.
    for (const block = Buffer.alloc(FILLER_STEP_BYTES); ; ) await handle.write(block)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    await handle.close()
  }
}

type Place = { dataDir: string; settings?: Record<string, string> }

async function withLantern(place: Place, run: (running: Running) => Promise<void>): Promise<void> {
  const lantern = await startLantern({ ...place, flags: FLAGS })
  try {
    const ask = createAsk(lantern.url, await signIn(lantern.url))
    const writes = createAcknowledgedWrites(new Random(SEED), await listThreats(ask))
    await run({ lantern, ask, writes })
  } finally {
    await lantern.stop()
    await rm(place.dataDir, { recursive: true, force: true })
  }
}

async function measureFault({ lantern, ask, writes }: Running, fault: Fault): Promise<void> {
  console.log(`  ${fault.name}`)
  for (let write = 0; write < 40; write++) await writes.writeOne(ask)
  for (const page of PAGES) await ask(page)
  const seen = new Map<string, { count: number; longestMs: number }>()
  const note = (what: string, tookMs: number) => {
    const { count, longestMs } = seen.get(what) ?? { count: 0, longestMs: 0 }
    seen.set(what, { count: count + 1, longestMs: Math.max(longestMs, tookMs) })
  }
  await fault.inject()
  const untilMs = performance.now() + fault.spanMs
  const isUnder = () => performance.now() < untilMs && lantern.child.exitCode === null
  const look = async (path: string) => {
    while (isUnder()) {
      await timed(
        () => ask(path).then(describe, nameOf),
        (what, tookMs) => note(`GET ${path}: ${what}`, tookMs),
      )
      await sleep(500)
    }
  }
  const write = async () => {
    while (isUnder()) {
      let said = 'no answer'
      const telling: Ask = async (path, asked) => {
        const response = await ask(path, asked)
        said = await describe(response.clone())
        return response
      }
      await timed(
        () => writes.writeOne(telling).then(() => said, nameOf),
        (what, tookMs) => note(`write: ${what}`, tookMs),
      )
      await sleep(20)
    }
  }
  await Promise.all([...PAGES, '/bff/source'].map(look).concat(write()))
  for (const [what, { count, longestMs }] of seen) {
    const isMet = longestMs <= ANSWERS_WITHIN_MS && /: (?:200|201|204|503)/.test(what)
    say(isMet, `${what} (${count}, longest ${Math.round(longestMs)} ms)`)
  }
  const hasEnded = lantern.child.exitCode !== null
  say(!hasEnded, hasEnded ? `Lantern ended: ${lantern.output().slice(-600)}` : 'Lantern stays')
  await fault.mend()
  const mendedMs = performance.now()
  while (!hasEnded && performance.now() - mendedMs < 90_000 && !(await writes.writeOne(ask))) await sleep(20)
  const healsMs = performance.now() - mendedMs
  say(healsMs <= HEALS_WITHIN_MS, `a write is answered ${Math.round(healsMs)} ms after its end`)
  const { read, lost, doubled } = await writes.readBack(ask, 'all')
  say(lost.length + doubled.length === 0, `lost ${lost.length}, doubled ${doubled.length} of ${read}`)
}

async function timed(
  run: () => Promise<string>,
  note: (what: string, tookMs: number) => void,
): Promise<void> {
  const startedMs = performance.now()
  const what = await run()
  note(what, performance.now() - startedMs)
}

/** What a person is told. */
async function describe(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null)
  const problem = problemSchema.safeParse(body)
  if (problem.success) return `${response.status} ${problem.data.code}, “${problem.data.title}”`
  const trouble = sourceSchema.safeParse(body).data?.trouble
  const label = /"staleReason":"([^"]+)"/.exec(JSON.stringify(body))?.[1]
  return [response.status, trouble && `“${trouble}”`, label && `“${label}”`].filter(Boolean).join(' ')
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** The postmaster and its children. */
async function listPostgres(dataDir: string): Promise<number[]> {
  const postmaster = await readPostmaster(join(dataDir, 'postgres/data'))
  if (!postmaster) throw new Error('No postmaster')
  const { pid } = postmaster
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.trim().split(' ').map(Number)]
}

function say(isMet: boolean, what: string): void {
  if (!isMet) process.exitCode = 1
  console.log(`    ${what}: ${verdict(isMet)}`)
}
