import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { caseAnswerSchema } from '#contract/bff/case.ts'
import { nameListsSchema } from '#contract/bff/list.ts'
import { ENTRIES_MAX_COUNT } from '#contract/bff/list-draft.ts'
import { sourceSchema } from '#contract/bff/source.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { userWithLinkSchema } from '#contract/bff/user.ts'
import { environmentWith } from '#settings/settings.ts'
import { makeDataDir } from '#test/support/data-dir.ts'
import { Random } from '#test/support/random.ts'
import { verdict } from '../test/support/verdict.ts'
import { makeBacktest } from './crowd-requests.ts'
import { type Answer, type CrowdFigures, type CrowdPlan, crowdFiguresSchema } from './crowd-wire.ts'
import { makeEntries } from './list-matching.ts'
import { type MeasuredLantern, startMeasuredLantern } from './measured-lantern.ts'
import { percentile } from './percentile.ts'
import { makeBatches, makeThreats, ORGANIZATIONS } from './window-records.ts'

const BATCH = 2_000
const PEOPLE = 5
const PROFILES = 8
const OPENED_THREATS = 1_000
const CROWD = { streams: 40, perSecond: 90, warmUpSeconds: 8, seconds: 60, seed: 17 } as const
/** While records are read in: short enough to end before they do. */
const READING_CROWD = { ...CROWD, warmUpSeconds: 2, seconds: 12 } as const
/** By how many records are stored at most, milliseconds. */
const TARGETS = [
  { records: 100_000, p95: 20, p99: 120 },
  { records: 300_000, p95: 30, p99: 150 },
] as const
const READING_P95_TARGET_MS = 60
const BACKTESTS = 100
/** One account may have 120 a minute. */
const BACKTEST_EVERY_MS = 600
const BACKTEST_P95_TARGET_MS = 150
/** One entry of so many is named like a victim of the records. */
const VICTIM_EVERY = 2_000
const PASSWORD = 'a crowd has one password'
const IMPORT = fileURLToPath(new URL('../src/commands/import.ts', import.meta.url))
const CLIENT = fileURLToPath(new URL('crowd-client.ts', import.meta.url))

type CrowdOptions = {
  records: number
  /** The number of entries in shared lists, all matched before the crowd comes. */
  entries: number
  /** The crowd is there from the start, while Lantern reads the records in. */
  isReading: boolean
  /** The crowd waits until all claims have their cases. */
  isPlaced: boolean
}

/** A team and its visitors at once: how long each answer of one process takes, and what the process holds. */
export async function measureCrowd(options: CrowdOptions): Promise<void> {
  const { records, entries, isReading, isPlaced } = options
  const { perSecond, seconds, streams } = isReading ? READING_CROWD : CROWD
  console.log(
    `\nA crowd${isReading ? ' while records are read in' : ''}${isPlaced ? ' after claims have their cases' : ''}: ${perSecond} requests a second for ${seconds} s, ${streams} live streams, ${PEOPLE} people, ${records.toLocaleString('en')} records, ${entries.toLocaleString('en')} entries in lists`,
  )
  const dataDir = await makeDataDir()
  try {
    await importRecords(dataDir, records)
    const lantern = await startMeasuredLantern({ dataDir, settings: { DEMO: 'off' } }, !isReading)
    try {
      await measureOn(lantern, options)
    } finally {
      await lantern.stop()
    }
  } finally {
    // Lantern ends at its time limit if it cannot stop in time. Its PostgreSQL then writes for some seconds longer.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
}

async function measureOn(
  lantern: MeasuredLantern,
  { records, entries, isReading, isPlaced }: CrowdOptions,
): Promise<void> {
  const { pid = 0 } = lantern.child
  const plan = isReading ? READING_CROWD : CROWD
  await createProfiles(lantern)
  const cookies = [lantern.cookie]
  while (cookies.length < PEOPLE) cookies.push(await signInAnalyst(lantern, cookies.length))
  while ((await countStored(lantern)) < Math.min(OPENED_THREATS, records)) await sleep(100)
  const threatIds = await newestIds(lantern)
  await createLists(lantern, entries)
  while (isPlaced && (await isComparing(lantern))) await sleep(1_000)
  const load = loadavg()[0] ?? Number.NaN
  const [before, begunMs, storedBefore] = [
    await readMemory(pid),
    await readProcessorMs(pid),
    await countStored(lantern),
  ]
  const startedMs = performance.now()
  const figures = await sendCrowd({ ...plan, origin: lantern.origin.origin, cookies, threatIds })
  const passedSeconds = (performance.now() - startedMs) / 1_000
  const target = TARGETS.find((one) => records <= one.records)
  report(figures, isReading ? { p95: READING_P95_TARGET_MS } : target)
  if (!isReading) await measureBacktests(lantern)
  const after = await readMemory(pid)
  const count = (plan.warmUpSeconds + plan.seconds) * plan.perSecond
  const eachMs = ((await readProcessorMs(pid)) - begunMs) / count
  console.log(`  processor  ${eachMs.toFixed(1)} ms a request, of all threads of the server`)
  console.log(`  memory     ${before.now} before, ${after.now} after, ${after.peak} at most (resident)`)
  if (isReading) {
    const storedAfter = await countStored(lantern)
    const perSecond = Math.round((storedAfter - storedBefore) / passedSeconds)
    console.log(`  read in    ${storedBefore} stored before, ${storedAfter} after, ${perSecond} a second`)
  }
  console.log(
    `  machine    ${availableParallelism()} cores, a load of ${load.toFixed(1)} before the crowd came`,
  )
}

/** One after the other, none twice, as somebody who builds a profile. */
async function measureBacktests(lantern: MeasuredLantern): Promise<void> {
  const random = new Random(CROWD.seed)
  const answers: Pick<Answer, 'route' | 'ms'>[] = []
  for (let at = 0; at < BACKTESTS; at++) {
    const { route, path, body } = makeBacktest(at, random)
    const startedMs = performance.now()
    await (await send(lantern, path, body)).text()
    answers.push({ route, ms: performance.now() - startedMs })
    await sleep(BACKTEST_EVERY_MS)
  }
  console.log('  backtests, one after the other')
  for (const [route, some = []] of Object.entries(Object.groupBy(answers, ({ route }) => route)))
    console.log(`  ${route.padEnd(10)} ${describeTimes(some.map(({ ms }) => ms))}`)
  const isMet =
    percentile(
      answers.map(({ ms }) => ms),
      0.95,
    ) <= BACKTEST_P95_TARGET_MS
  console.log(`  ${verdict(isMet)}: target p95 ${BACKTEST_P95_TARGET_MS} ms or less`)
}

/** Claims are compared from one end to the other: with the newest and the oldest, all are. */
async function isComparing(lantern: MeasuredLantern): Promise<boolean> {
  for (const order of ['asc', 'desc']) {
    const listed = await send(lantern, `/bff/threats?rows=claims&sort=published&order=${order}`)
    const { threats } = threatListSchema.parse(await listed.json())
    const answer = await send(lantern, `/bff/threats/${threats[0]?.id}/case`)
    if (caseAnswerSchema.parse(await answer.json()).isComparing) return true
  }
  return false
}

async function countStored(lantern: MeasuredLantern): Promise<number> {
  return sourceSchema.parse(await (await send(lantern, '/bff/source')).json()).window.threats
}

function report(
  { answers, lateMs, streams }: CrowdFigures,
  target: { p95: number; p99?: number } | undefined,
): void {
  console.log(
    `  ${'ms'.padEnd(10)} ${['count', 'p50', 'p95', 'p99'].map((word) => word.padStart(8)).join('')}`,
  )
  for (const [route, some] of Object.entries(Object.groupBy(answers, ({ route }) => route)).toSorted())
    console.log(`  ${route.padEnd(10)} ${describeTimes(timesOf(some ?? []))}`)
  const all = timesOf(answers)
  console.log(`  ${'all'.padEnd(10)} ${describeTimes(all)}`)
  console.log(`  ${'sent late'.padEnd(10)} ${describeTimes(lateMs)}`)
  for (const [share, targetMs] of [
    [0.95, target?.p95],
    [0.99, target?.p99],
  ] as const)
    if (targetMs !== undefined)
      console.log(
        `  ${verdict(percentile(all, share) <= targetMs)}: target p${share * 100} ${targetMs} ms or less`,
      )
  const failed = Object.groupBy(
    answers.filter(({ status }) => status < 200 || status > 299),
    ({ status }) => status,
  )
  const words = Object.entries(failed).map(
    ([status, some = []]) =>
      `${some.length} × ${status === '0' ? 'no answer' : status} (${[...new Set(some.map(({ route }) => route))].join(', ')})`,
  )
  const isSound = answers.every(({ status }) => status > 0 && status < 500)
  console.log(`  ${verdict(isSound)}: target 0 answers of 5xx or none; errors: ${words.join(', ') || 'none'}`)
  console.log(
    `  streams    ${streams.events.toLocaleString('en')} events heard, ${streams.ended} of ${CROWD.streams} ended early`,
  )
}

function timesOf(answers: readonly Answer[]): number[] {
  return answers.map(({ ms }) => ms)
}

function describeTimes(times: readonly number[]): string {
  const columns = [0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(1).padStart(8))
  return `${String(times.length).padStart(8)}${columns.join('')}`
}

async function sendCrowd(plan: CrowdPlan): Promise<CrowdFigures> {
  const child = spawn(process.execPath, [CLIENT], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(plan))
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`The crowd ended with ${code}`)
  return crowdFiguresSchema.parse(JSON.parse(printed))
}

/** By the command that people use, before anything is started. */
async function importRecords(dataDir: string, count: number): Promise<void> {
  const file = join(dataDir, 'records.ndjson')
  for (const threats of makeBatches(count, BATCH, new Random(CROWD.seed), Date.now())) {
    const lines = threats.map((threat) =>
      JSON.stringify({
        source: 'bench',
        source_id: threat.id,
        category: threat.category,
        title: threat.title,
        description: threat.excerpt,
        group: threat.actors[0],
        victim: threat.organizations[0],
        country: threat.countries[0]?.code,
        sector: threat.industries[0],
        website: threat.domains[0],
        published: threat.publishedAt,
      }),
    )
    await appendFile(file, `${lines.join('\n')}\n`)
  }
  const child = spawn(process.execPath, [IMPORT, file], {
    env: environmentWith({ DATA_DIR: dataDir }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(`The records were not imported:\n${said}`)
}

async function createProfiles(lantern: MeasuredLantern): Promise<void> {
  const random = new Random(CROWD.seed)
  const records = makeThreats(PROFILES, random, Date.now())
  for (const { title, category } of records)
    await send(lantern, '/bff/alerts', {
      name: `About ${title}`,
      keywords: (title ?? '').split(' '),
      categories: [category],
      email: ['team@lantern.example'],
      slack: null,
      teams: null,
    })
}

async function signInAnalyst(lantern: MeasuredLantern, at: number): Promise<string> {
  const invited = await send(lantern, '/bff/users', {
    email: `person-${at}@lantern.example`,
    role: 'analyst',
  })
  const { link } = userWithLinkSchema.parse(await invited.json())
  const token = new URLSearchParams(new URL(link.url).hash.slice(1)).get('password')
  // Without the admin's cookie: whoever signs in leaves the session that the browser had.
  const browser = { ...lantern, cookie: '' }
  const response = await send(browser, '/bff/sign-in/password-link', { token, password: PASSWORD })
  return response.headers.getSetCookie().at(0)?.split(';').at(0) ?? ''
}

/** Lists of names, half of them with a domain; some of them are victims of the records. */
async function createLists(lantern: MeasuredLantern, count: number): Promise<void> {
  const entries = makeEntries(count).map(({ name, domains }, at) => ({
    name: at % VICTIM_EVERY === 0 ? (ORGANIZATIONS[at / VICTIM_EVERY] ?? name) : name,
    domains,
    note: null,
    key: null,
    weight: 'normal',
  }))
  for (let at = 0; at < count; at += ENTRIES_MAX_COUNT) {
    const some = entries.slice(at, at + ENTRIES_MAX_COUNT)
    await send(lantern, '/bff/lists', { name: `List ${at}`, kind: 'supplier', isShared: true, entries: some })
  }
  const areMatched = async () => {
    const { lists } = nameListsSchema.parse(await (await send(lantern, '/bff/lists')).json())
    return lists.every(({ isMatching }) => !isMatching)
  }
  while (!(await areMatched())) await sleep(1_000)
}

async function newestIds(lantern: MeasuredLantern): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null && ids.length < OPENED_THREATS; ) {
    const response = await send(lantern, `/bff/threats${cursor && `?cursor=${encodeURIComponent(cursor)}`}`)
    const list = threatListSchema.parse(await response.json())
    ids.push(...list.threats.map(({ id }) => id))
    cursor = list.nextCursor
  }
  return ids
}

async function send(
  { origin, cookie }: Pick<MeasuredLantern, 'origin' | 'cookie'>,
  path: string,
  body?: unknown,
): Promise<Response> {
  const response = await fetch(new URL(path, origin), {
    headers: { 'x-lantern': '1', 'content-type': 'application/json', cookie },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response
}

/** What a process has used so far: less than the time that passed where others use the machine as well. */
async function readProcessorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // After the name, which may hold anything: the 14th and 15th field, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Of a process, from Linux's /proc; not known elsewhere. */
async function readMemory(pid: number): Promise<{ now: string; peak: string }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const megabytes = (name: string) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
    return kilobytes === undefined ? 'unknown' : `${Math.round((Number(kilobytes) * 1_024) / 1e6)} MB`
  }
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}
