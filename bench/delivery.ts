import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { OpenDatabase } from '#database/open-database.ts'
import { countDeliveries } from '#delivery/ledger.ts'
import type { LedgerAccess } from '#delivery/ledger-access.ts'
import { aMatch, enqueueTo, type MatchTo } from '#test/support/delivery/deliveries.ts'
import { Random } from '#test/support/random.ts'
import { verdict } from '../test/support/verdict.ts'
import { withBenchDatabase } from './bench-database.ts'
import { createBenchClock } from './delivery-clock.ts'
import { percentile } from './percentile.ts'

const TRIGGERS = 10_000
const KILLS = 50
/** A minute of the ledger in a second, so that the day of retries and the cap of an hour are part of it. */
const SPEED = 60
const KILL_EVERY_MS = 2_500
const DRAIN_MAX_MS = 240_000
const BURST = 1_000
const ALONE = 40
const WORKER = fileURLToPath(new URL('delivery-worker.ts', import.meta.url))

/** What goes wrong at a destination, of 100 requests each. */
const DESTINATIONS = [
  { channel: 'plain', busy: 0, silent: 0, gone: 0 },
  { channel: 'plain', busy: 10, silent: 0, gone: 1 },
  { channel: 'plain', busy: 2, silent: 4, gone: 0 },
  { channel: 'telling', busy: 10, silent: 10, gone: 0 },
  { channel: 'telling', busy: 0, silent: 20, gone: 1 },
] as const
type Faults = (typeof DESTINATIONS)[number]

const matchesSchema = z.array(
  z.object({ id: z.nullable(z.string()), state: z.nullable(z.string()), count: z.int() }),
)

/** Whether messages are lost or told twice while their workers are killed, and how soon and how many they are. */
export async function measureDelivery(): Promise<void> {
  console.log('\nDelivery')
  await withBenchDatabase('service', measureKills)
  await withBenchDatabase('service', measurePace)
}

async function measureKills(database: OpenDatabase): Promise<void> {
  const bench = await openBench(database, SPEED)
  const random = new Random(1)
  const workers = [bench.startWorker(), bench.startWorker()]
  const startedMs = performance.now()
  const total = KILLS * KILL_EVERY_MS
  let told = 0
  const telling = (async () => {
    while (told < TRIGGERS) {
      const due = Math.min(TRIGGERS, Math.ceil(((performance.now() - startedMs) / total) * TRIGGERS))
      const matches = Array.from({ length: due - told }, (_, at) => bench.matchOf(told + at))
      told = due
      await database.transaction((tx) => enqueueTo(tx, matches, bench.access))
      await sleep(50)
    }
  })()
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(KILL_EVERY_MS * (0.5 + random.next()))
    workers[kill % 2]?.kill('SIGKILL')
    workers[kill % 2] = bench.startWorker()
  }
  await telling
  const drainedBy = performance.now() + DRAIN_MAX_MS
  const waiting = async () => {
    const { queued, sending, retrying, heldBack } = await countDeliveries(database)
    return queued + sending + retrying + heldBack
  }
  while ((await waiting()) > 0 && performance.now() < drainedBy) await sleep(500)
  await bench.close(workers)

  const { rows } = await database.query(
    `select delivery.id, state, count(*) as count
       from delivery_match left join delivery on delivery.id = delivery_id group by 1, 2`,
  )
  const ended = ['sent', 'failed', 'unclear']
  const deliveries = matchesSchema.parse(rows)
  const written = deliveries.reduce((sum, { count }) => sum + count, 0)
  // The ledger's word is held against the receiver's.
  const isLost = ({ id, state }: (typeof deliveries)[number]) =>
    !ended.includes(state ?? '') || (state === 'sent' && !bench.taken.has(id ?? ''))
  const lost = TRIGGERS - written + deliveries.filter(isLost).reduce((sum, { count }) => sum + count, 0)
  const counts = await countDeliveries(database)
  console.log(
    `  ${TRIGGERS} triggers to ${DESTINATIONS.length} destinations, ${KILLS} times kill -9, ${Math.round((performance.now() - startedMs) / 1_000)} s at ${SPEED} times the speed
    posts             ${bench.posts()}, of messages ${deliveries.length}
    lost              ${lost} of ${TRIGGERS} matches: ${verdict(lost === 0)} (none)
    after an answer   ${bench.twice()} sent again: ${verdict(bench.twice() === 0)} (none); by the same id to who can tell ${bench.toldApart()}
    sent              ${counts.sent}, failed ${counts.failed}, unclear ${counts.unclear}`,
  )
}

async function measurePace(database: OpenDatabase): Promise<void> {
  const bench = await openBench(database, 1)
  const workers = [bench.startWorker(), bench.startWorker()]
  await sleep(5_000)
  const delays = []
  for (let at = 0; at < ALONE; at++) {
    const path = `alone-${at}`
    const match = aMatch(path, { destinations: [{ channel: 'plain', destination: `${bench.url}0/${path}` }] })
    const arrived = bench.nextPost()
    await database.transaction((tx) => enqueueTo(tx, [match], bench.access))
    const toldMs = performance.now()
    await arrived
    delays.push(performance.now() - toldMs)
  }
  const p95 = percentile(delays, 0.95)
  const before = bench.posts()
  for (let at = 0; at < BURST; at += 10) {
    const matches = Array.from({ length: 10 }, (_, more) =>
      DESTINATIONS.map((_destination, to) => bench.matchOf(at + more, to)),
    )
    await database.transaction((tx) => enqueueTo(tx, matches.flat(), bench.access))
    await sleep(50)
  }
  await sleep(65_000)
  await bench.close(workers)
  const counts = await database.query(
    `select max(count) as most from (select count(*) as count from delivery
      where destination_id in (select destination_id from delivery_match group by 1 having count(*) > 1)
      group by destination_id) counted`,
  )
  const most = z.object({ most: z.int() }).parse(counts.rows[0]).most
  console.log(
    `  first message     p95 ${p95.toFixed(0)} ms after its trigger: ${verdict(p95 <= 5_000)} (5,000 ms)
  burst             ${BURST} matches to each destination, at most ${most} messages to one: ${verdict(most <= 20)} (20); posts ${bench.posts() - before}`,
  )
}

/** Destinations on this machine that know what they have taken. */
async function openBench(database: OpenDatabase, speed: number) {
  const originMs = Date.now()
  const secret = randomBytes(16).toString('hex')
  const random = new Random(2)
  const taken = new Set<string>()
  let posts = 0
  let twice = 0
  let toldApart = 0
  let onPost = () => {}

  async function receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const faults = DESTINATIONS[Number(message.url?.split('/')[1])] ?? DESTINATIONS[0]
    const id = String(message.headers['webhook-id'])
    posts++
    onPost()
    if (taken.has(id)) faults.channel === 'telling' ? toldApart++ : twice++
    message.resume()
    await once(message, 'end')
    await sleep(20 + random.below(300))
    const answer = answerBy(faults, random)
    if (answer === 'silent') {
      if (random.chance(0.5)) taken.add(id)
      message.destroy()
      return
    }
    if (answer === 200) taken.add(id)
    response.writeHead(answer, answer === 429 ? { 'retry-after': '30' } : {}).end()
  }

  const server = createServer((message, response) => void receive(message, response).catch(() => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${portOf(server)}/`
  const access: LedgerAccess = { secret, readNow: createBenchClock(speed, originMs) }

  return {
    url,
    access,
    taken,
    posts: () => posts,
    twice: () => twice,
    toldApart: () => toldApart,
    nextPost: () =>
      new Promise<void>((resolve) => {
        onPost = resolve
      }),
    matchOf(at: number, to: number = at % DESTINATIONS.length): MatchTo {
      const channel = DESTINATIONS[to]?.channel ?? 'plain'
      return aMatch(`t${at}`, { destinations: [{ channel, destination: `${url}${to}` }] })
    },
    startWorker(): ChildProcess {
      const { connectionString = '' } = database.pool.options
      const values = [connectionString, secret, speed, originMs].map(String)
      return spawn(process.execPath, [WORKER, ...values], { stdio: ['ignore', 'ignore', 'inherit'] })
    },
    async close(workers: readonly ChildProcess[]) {
      for (const worker of workers) worker.kill('SIGKILL')
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function answerBy({ busy, silent, gone }: Faults, random: Random): 200 | 410 | 429 | 503 | 'silent' {
  const chance = random.below(100)
  if (chance < busy) return random.chance(0.5) ? 429 : 503
  if (chance < busy + silent) return 'silent'
  return chance < busy + silent + gone ? 410 : 200
}
