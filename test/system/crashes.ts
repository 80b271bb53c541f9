import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyAudit } from '#bff/accounts/audit/verify-audit.ts'
import { findFreePort } from '#database/embedded/find-free-port.ts'
import { readSecret } from '#database/embedded/keep-secret.ts'
import { readPostmaster } from '#database/embedded/postmaster.ts'
import { type DatabaseRole, roleUrls } from '#database/embedded/prepare-roles.ts'
import { findProcess } from '#database/embedded/running-process.ts'
import { type OpenDatabase, openDatabase } from '#database/open-database.ts'
import { makeDataDir } from '#test/support/data-dir.ts'
import { Random } from '#test/support/random.ts'
import { type RunningLantern, spawnLantern, startLantern } from '#test/support/start-lantern.ts'
import { verdict } from '../support/verdict.ts'
import { createAcknowledgedWrites, createAsk, listThreats, signIn, THREATS } from './acknowledged-writes.ts'
import { createRepeatedImports } from './repeated-imports.ts'

/** Some write now and then in between: one every 15 ms or so. */
const PAUSE_MS = 15
const WRITES_FOR_MS = { least: 300, most: 2_300 }
const HEALS_WITHIN_MS = 30_000
const FIRST_STARTS_SHARE = 0.1
/** Of those that start is interrupted at. */
const START_MS = 2_500
const FIRST_START_MS = 6_000
/** What an import may say whose database went away: run again, it goes on. */
const WANT_OF_DATABASE =
  /(?:^|\n)(?:.* database cannot be opened: |The database broke off|PostgreSQL ended unexpectedly).*\n$/
const FLAGS = ['--without-app']

const KILLS = ['Lantern', 'Lantern', 'postmaster', 'postmaster', 'both', 'both', 'backend'] as const
type Kill = (typeof KILLS)[number]

type Figures = {
  kills: Record<Kill, number>
  interrupted: number
  starts: number
  failedStarts: string[]
  startMs: number[]
  healMs: number[]
  read: number
  lost: string[]
  doubled: string[]
  faults: string[]
}

/** Kills Lantern, its database or both at random moments while writes are acknowledged, and looks whether all are there. */
export async function proveCrashes(rounds: number, seed: number): Promise<void> {
  const random = new Random(seed)
  console.log(`\nCrashes: ${rounds} rounds of kill -9 during writes (--rounds ${rounds} --seed ${seed})`)
  const dataDir = await makeDataDir()
  const settings = await chooseSettings()
  const figures: Figures = {
    kills: { Lantern: 0, postmaster: 0, both: 0, backend: 0 },
    interrupted: 0,
    starts: 0,
    read: 0,
    failedStarts: [],
    startMs: [],
    healMs: [],
    lost: [],
    doubled: [],
    faults: [],
  }
  const place = { dataDir, settings }
  let lantern = await startAgain(place, figures)
  // Until here nothing crashed.
  figures.startMs.length = 0
  try {
    const ask = createAsk(lantern.url, await signIn(lantern.url))
    const writes = createAcknowledgedWrites(random, await listThreats(ask))
    const writeOne = () => writes.writeOne(ask)
    const imports = createRepeatedImports(dataDir, { ...settings, DATA_DIR: dataDir })

    let last = rounds
    // Ctrl-C: what was measured until then.
    process.once('SIGINT', () => {
      last = 0
    })
    for (let round = 1, isLast = false; !isLast; round++) {
      const imported = imports.isPending() || random.chance(0.2)
      if (imported) await imports.begin()
      const kill = random.pick(KILLS)
      figures.kills[kill] += 1
      const spanMs = WRITES_FOR_MS.least + random.below(WRITES_FOR_MS.most - WRITES_FOR_MS.least)
      await writeFor(spanMs, writeOne)
      if (imported && random.chance(0.5)) imports.kill()
      // With a write under way.
      const writing = writeOne()
      await sleep(random.below(10))
      await strike(kill, { lantern, dataDir, random })
      await writing
      if (kill !== 'backend') {
        await lantern.stop('SIGKILL')
        if (random.chance(0.2)) await interruptStart(place, { random, figures })
        lantern = await startAgain(place, figures)
      }
      const tookMs = await untilAnswered(writeOne)
      if (kill === 'backend') figures.healMs.push(tookMs)
      const fault = imported ? await imports.settle() : null
      if (fault !== null && !WANT_OF_DATABASE.test(fault))
        figures.faults.push(`round ${round}: an import said ${fault}`)

      isLast = round >= last
      const found = await writes.readBack(ask, isLast ? 'all' : 'touched')
      figures.read += found.read
      figures.lost.push(...found.lost.map((one) => `round ${round}, after ${kill}: ${one}`))
      figures.doubled.push(...found.doubled.map((one) => `round ${round}, after ${kill}: ${one}`))
      if (imported || isLast) await readImports(dataDir, imports, { round, figures })
      await readAudit(dataDir, { round, figures })
      if (round % 20 === 0) console.log(`  … ${round} rounds, ${writes.acknowledged()} writes acknowledged`)
    }
    await measureFirstStarts(Math.round(last * FIRST_STARTS_SHARE), { random, figures })
    print(figures, { writes, imports })
  } finally {
    await lantern.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function chooseSettings() {
  const [port, servicePort] = [await findFreePort(), await findFreePort()]
  return { PORT: String(port), SERVICE_PORT: String(servicePort) }
}

type Chance = { random: Random; figures: Figures }
type Where = { round: number; figures: Figures }
type Writes = ReturnType<typeof createAcknowledgedWrites>
type Imports = ReturnType<typeof createRepeatedImports>
type Place = { dataDir: string; settings: Record<string, string> }

/** One that fails is made again, once: what it left has to be there. */
async function startAgain(place: Place, figures: Figures): Promise<RunningLantern> {
  for (let attempt = 1; ; attempt++) {
    figures.starts += 1
    const startedMs = performance.now()
    try {
      const lantern = await startLantern({ ...place, flags: FLAGS })
      figures.startMs.push(performance.now() - startedMs)
      return lantern
    } catch (error) {
      figures.failedStarts.push(error instanceof Error ? error.message : String(error))
      console.log(`  a start failed: ${error instanceof Error ? error.message : error}`)
      if (attempt === 5) throw error
    }
  }
}

async function writeFor(spanMs: number, write: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + spanMs
  while (performance.now() < untilMs) {
    await write()
    await sleep(PAUSE_MS)
  }
}

async function strike(
  kill: Kill,
  { lantern, dataDir, random }: { lantern: RunningLantern; dataDir: string; random: Random },
): Promise<void> {
  const postmaster = await readPostmaster(join(dataDir, 'postgres/data'))
  if (!postmaster) throw new Error('There is no postmaster to kill')
  const { pid } = postmaster
  const killLantern = () => lantern.child.kill('SIGKILL')
  if (kill === 'Lantern') killLantern()
  if (kill === 'postmaster') process.kill(pid, 'SIGKILL')
  if (kill === 'backend') {
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
    process.kill(Number(random.pick(children)), 'SIGKILL')
  }
  if (kill === 'both') {
    const isFirst = random.chance(0.5)
    if (isFirst) killLantern()
    else process.kill(pid, 'SIGKILL')
    await sleep(random.below(20))
    if (isFirst) process.kill(pid, 'SIGKILL')
    else killLantern()
  }
}

/** Answers how long that took. */
async function untilAnswered(write: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now()
  while (!(await write())) {
    if (performance.now() - startedMs > HEALS_WITHIN_MS) throw new Error('It did not heal by itself')
    await sleep(PAUSE_MS)
  }
  return performance.now() - startedMs
}

/** A start that is itself killed: nothing may depend on its end. */
async function interruptStart(place: Place, { random, figures }: Chance): Promise<void> {
  figures.interrupted += 1
  const starting = await spawnLantern({ ...place, flags: FLAGS })
  await sleep(random.below(START_MS))
  const postmaster = random.chance(0.5) ? await readPostmaster(join(place.dataDir, 'postgres/data')) : null
  starting.child.kill('SIGKILL')
  // After a kill of the one before, the file may still name that.
  if (postmaster && (await findProcess(postmaster.pid))?.command.includes(place.dataDir))
    process.kill(postmaster.pid, 'SIGKILL')
  await starting.stop('SIGKILL')
}

/** The first start of all makes the cluster, the schema, the account and the demo: killed, the next one makes what is missing. */
async function measureFirstStarts(count: number, { random, figures }: Chance): Promise<void> {
  for (let made = 0; made < count; made++) {
    const dataDir = await makeDataDir()
    const place = { dataDir, settings: await chooseSettings() }
    try {
      for (let kills = 1 + random.below(2); kills > 0; kills--) {
        const starting = await spawnLantern({ ...place, flags: FLAGS })
        await sleep(random.below(FIRST_START_MS))
        await starting.stop('SIGKILL')
      }
      const lantern = await startAgain(place, figures)
      const threats = await listThreats(createAsk(lantern.url, await signIn(lantern.url)))
      if (threats.length < THREATS) figures.faults.push(`a first start showed ${threats.length} threats`)
      await readAudit(dataDir, { round: made, figures })
      await lantern.stop()
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

async function readImports(dataDir: string, imports: Imports, { round, figures }: Where): Promise<void> {
  await withDatabase(dataDir, 'lantern_service', async (service) => {
    const { read, lost, doubled, miscounted } = await imports.readBack(service)
    figures.read += read
    if (lost > 0) figures.lost.push(`round ${round}: ${lost} imported records`)
    if (doubled > 0) figures.doubled.push(`round ${round}: ${doubled} imported records`)
    if (miscounted > 0) figures.faults.push(`round ${round}: ${miscounted} counts of the service are wrong`)
  })
}

async function readAudit(dataDir: string, { round, figures }: Where): Promise<void> {
  await withDatabase(dataDir, 'lantern_runtime', async (database) => {
    const { faults } = await verifyAudit(database)
    figures.faults.push(...faults.map((fault) => `round ${round}: the audit record: ${fault}`))
  })
}

/** That of the Lantern which runs there. */
async function withDatabase(
  dataDir: string,
  role: DatabaseRole,
  run: (database: OpenDatabase) => Promise<void>,
): Promise<void> {
  const postmaster = await readPostmaster(join(dataDir, 'postgres/data'))
  const password = await readSecret(dataDir, 'postgres-password')
  if (!postmaster || !password) throw new Error('No database runs')
  const url = roleUrls({ password, port: postmaster.port })(role)
  const database = await openDatabase({ url, max: 1, statementTimeoutMs: 0 })
  await run(database).finally(() => database.close())
}

function print(figures: Figures, { writes, imports }: { writes: Writes; imports: Imports }): void {
  const { kills, starts, failedStarts, startMs, healMs, read, lost, doubled, faults, interrupted } = figures
  const list = (counts: object) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  console.log(`  killed            ${list(kills)}; ${interrupted} of the starts after`)
  console.log(
    `  writes            ${writes.acknowledged()} acknowledged; answers: ${list(writes.statuses())}`,
  )
  console.log(`  imports           ${list(imports.figures())}`)
  say(lost.length === 0, `lost              ${lost.length} of ${read} read back`, lost)
  say(doubled.length === 0, `doubled           ${doubled.length}`, doubled)
  say(failedStarts.length === 0, `failed starts     ${failedStarts.length} of ${starts}`, failedStarts)
  say(faults.length === 0, `other faults      ${faults.length}`, faults)
  console.log(`  start after crash ${percentiles(startMs)}`)
  console.log(`  heals of a killed backend, without a start: ${percentiles(healMs)}`)
}

function percentiles(took: readonly number[]): string {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms (${sorted.length})`
}

function say(isMet: boolean, what: string, which: readonly string[]): void {
  if (!isMet) process.exitCode = 1
  console.log(`  ${what}: ${verdict(isMet)}`)
  for (const one of which.slice(0, 20)) console.log(`    ${one}`)
}
