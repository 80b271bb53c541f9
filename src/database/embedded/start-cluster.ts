import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CHILD_ENVIRONMENT } from './child-environment.ts'
import { findFreePort } from './find-free-port.ts'
import { executable, findPostgresBinaries } from './postgres-binaries.ts'
import { findPostgresUser, type PostgresUser } from './postgres-user.ts'
import { readPostmaster } from './postmaster.ts'

export type Cluster = {
  port: number
  /** The address, as its superuser, of one of its databases, password included. */
  url(database: string): string
  stop(): Promise<void>
}

export class PostgresEndedError extends Error {
  constructor() {
    super(
      'PostgreSQL ended unexpectedly: postgres.log in DATA_DIR says why. Nothing that was acknowledged is lost: start Lantern again',
    )
  }
}

export type StartClusterOptions = {
  /** The folder that holds the cluster's `data`: owned by, and within reach of, the user PostgreSQL runs as. */
  folder: string
  password: string
  /** Receives what PostgreSQL says. */
  log: (chunk: Buffer) => void
  settings?: Record<string, string>
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '128MB',
  jit: 'off',
  // Plans of tables that have just been filled follow statistics, which are taken at these intervals: the default of one
  // minute meant plans for empty tables throughout the first minute.
  autovacuum_naptime: '5s',
  // A statement may carry what people typed: log what went wrong, not the statement.
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

/** This user owns everything inside the cluster. */
const CLUSTER_USER = 'lantern'

/** Text is ordered and folded by rules that PostgreSQL itself brings: the same on every machine. */
const INITDB_FLAGS = [
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--data-checksums',
]

const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000
const STOPPING_POLL_MS = 1_000
const PORT_ATTEMPTS = 3
const PORT_TAKEN = 'could not create any TCP/IP sockets'

/** Starts PostgreSQL on a free loopback port; makes the cluster first if the folder has none. */
export async function startCluster(options: StartClusterOptions): Promise<Cluster> {
  const user = await findPostgresUser(options.folder)
  const binaries = await findPostgresBinaries(user)
  const data = join(options.folder, 'data')
  await initializeCluster({ ...options, binaries, data, user })

  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort()
    try {
      const child = await launch({ ...options, binaries, data, user, port })
      const server = `postgres://${CLUSTER_USER}:${options.password}@127.0.0.1:${port}`
      return { port, url: (database) => `${server}/${database}`, stop: supervise(child, data) }
    } catch (error) {
      // Between finding the port and using it somebody else may have taken it.
      if (attempt === PORT_ATTEMPTS || !String(error).includes(PORT_TAKEN)) throw error
    }
  }
}

type Installation = StartClusterOptions & {
  /** The folder of PostgreSQL's programs. */
  binaries: string
  /** Within the folder: what initdb makes. */
  data: string
  user: PostgresUser | undefined
}

async function launch(installation: Installation & { port: number }): Promise<ChildProcess> {
  const { binaries, data, folder, log, user, port, settings } = installation
  const flags = Object.entries({ ...SETTINGS, ...settings, port: String(port) })
  const child = spawn(
    join(binaries, 'bin', executable('postgres')),
    ['-D', data, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // Detached: Ctrl-C in a terminal reaches us alone, and we stop PostgreSQL after its last client.
    { ...user, cwd: folder, env: CHILD_ENVIRONMENT, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  // Whatever ends this process, short of a kill: PostgreSQL ends with it.
  const interrupt = () => child.kill('SIGINT')
  process.once('exit', interrupt)
  child.once('exit', () => process.off('exit', interrupt))
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-2_000)
    log(chunk)
  })
  // All output has been read by then, too.
  const closed = once(child, 'close')
  closed.catch(() => {})
  try {
    if (await becomesReady(child, data)) return child
    await closed
    throw new Error(
      `PostgreSQL did not start: ${reasonIn(output)}; postgres.log in DATA_DIR has all that it said`,
    )
  } catch (error) {
    await stop(child)
    throw error
  }
}

/** False where it ends before. */
async function becomesReady(child: ChildProcess, data: string): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (isRunning(child)) {
    const postmaster = await readPostmaster(data)
    const status = postmaster?.pid === child.pid ? postmaster?.status : undefined
    if (status === 'ready') return true
    // Once it says that it is starting, it recovers from a crash, which takes as long as it takes.
    if (!status && Date.now() > deadline) throw new Error('PostgreSQL did not become ready')
    await sleep(10)
  }
  return false
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

/**
 * Returns what stops it. Should it end by itself, so does this process: there is nothing left to serve. Somebody else's
 * SIGTERM makes it refuse new connections and wait for ours, which would never end: it is stopped at once instead.
 */
function supervise(child: ChildProcess, data: string): () => Promise<void> {
  const failLoudly = () => {
    throw new PostgresEndedError()
  }
  child.once('exit', failLoudly)
  const stopIfRequested = async () => {
    const postmaster = await readPostmaster(data)
    if (postmaster?.pid === child.pid && postmaster?.status === 'stopping') child.kill('SIGINT')
  }
  const polling = setInterval(() => void stopIfRequested(), STOPPING_POLL_MS).unref()
  child.once('exit', () => clearInterval(polling))
  return async () => {
    clearInterval(polling)
    child.off('exit', failLoudly)
    await stop(child)
  }
}

/** Fast shutdown: rolls back what is open, writes a checkpoint and ends. */
async function stop(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  const isStopped = await Promise.race([
    exited.then(() => true),
    sleep(STOP_TIMEOUT_MS, false, { ref: false }),
  ])
  // Immediate shutdown: nothing acknowledged is lost, the next start recovers it from the log.
  if (!isStopped) child.kill('SIGQUIT')
  await exited
}

/** Made under another name and then renamed: an interrupted initdb leaves no half cluster behind. */
async function initializeCluster({ binaries, data, folder, password, user }: Installation): Promise<void> {
  if (await stat(join(data, 'PG_VERSION')).catch(() => undefined)) return
  const draft = join(folder, 'data.new')
  const passwordFile = join(folder, 'password.new')
  await rm(draft, { recursive: true, force: true })
  await rm(passwordFile, { force: true })
  await writePasswordFile(passwordFile, password, user)
  try {
    await promisify(execFile)(
      join(binaries, 'bin', executable('initdb')),
      [`--pgdata=${draft}`, `--username=${CLUSTER_USER}`, `--pwfile=${passwordFile}`, ...INITDB_FLAGS],
      { ...user, cwd: folder, env: CHILD_ENVIRONMENT },
    )
  } catch (error) {
    const reason = error instanceof Error && 'stderr' in error ? error.stderr : error
    throw new Error(`PostgreSQL could not be set up: ${reasonIn(String(reason))}`)
  } finally {
    await rm(passwordFile, { force: true })
  }
  await rename(draft, data)
}

/** Returns the reason from PostgreSQL's output, which contains no password. */
function reasonIn(output: string): string {
  const lines = output.trim().split('\n')
  const reason = lines.findLast((line) => /(?:FATAL|PANIC|error):\s/.test(line)) ?? lines.at(-1) ?? ''
  return /No space left on device/.test(output) ? `its disk is full, make room (${reason})` : reason
}

/** The folder is another user's: `wx` follows no link that stands in the file's place, nor does a handle's chown. */
async function writePasswordFile(
  path: string,
  password: string,
  user: PostgresUser | undefined,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(password)
    if (user) await file.chown(user.uid, user.gid)
  } finally {
    await file.close()
  }
}
