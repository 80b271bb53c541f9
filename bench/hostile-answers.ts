import { TIMEOUTS } from '#bff/upstream/client/transport.ts'
import { openData } from '#test/support/ask-data.ts'
import { makeHostileRound } from '#test/support/hostile-rounds.ts'
import { Random } from '#test/support/random.ts'
import { openStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { withBenchDatabase } from './bench-database.ts'
import { usedBytes } from './used-bytes.ts'
import { verdict } from './verdict.ts'

const ROUNDS = 10_000
/** Code is compiled and caches reach their size in these: what grows afterwards is a leak. */
const WARM_UP_ROUNDS = 500
const SEED = 20_260_310
const DAY_AND_MARGIN_MS = 90_000_000
const TARGET_GROWTH_BYTES = 64 * 2 ** 20
const TARGET_ANSWER_MS = 12_000

/** A vendor that answers nothing but damaged documents: what Lantern makes of it, how long it takes, what it keeps. */
export async function measureHostileAnswers(): Promise<void> {
  console.log(`\n${ROUNDS.toLocaleString('en')} hostile answers, seed ${SEED}`)
  const strays: unknown[] = []
  const noteStray = (error: unknown) => strays.push(error)
  process.on('unhandledRejection', noteStray)
  const standIn = await openStandInUpstream()
  try {
    await withBenchDatabase('bff', async (database) => {
      // A failed call is not repeated: it would pause, and meet the same answer.
      const timeouts = { ...TIMEOUTS, totalMs: 3_500 }
      const data = openData(database, { upstream: { url: standIn.url }, timeouts })
      const random = new Random(SEED)
      const faults: string[] = []
      const statuses = new Map<number, number>()
      let slowestMs = 0

      async function play(rounds: number): Promise<void> {
        for (let count = 0; count < rounds; count += 1) {
          const round = makeHostileRound(random, standIn.url)
          for (const [path, reply] of round.replies) standIn.play(path, reply)
          const startedMs = performance.now()
          const response = await data.ask(round.path)
          slowestMs = Math.max(slowestMs, performance.now() - startedMs)
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
          const fault = await round.fault(response)
          if (fault !== null) faults.push(fault)
          data.wait(DAY_AND_MARGIN_MS)
        }
        // The stand-in's own notes are not Lantern's memory.
        standIn.calls.length = 0
        data.logged.length = 0
      }

      await play(WARM_UP_ROUNDS)
      const before = { used: usedBytes(), resident: process.memoryUsage().rss }
      await play(ROUNDS - WARM_UP_ROUNDS)
      const used = usedBytes() - before.used
      const resident = process.memoryUsage().rss - before.resident
      await data.close()

      const counts = [...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
      console.log(`  answers by status          ${counts.join(', ')}`)
      console.log(
        `  not in our own shapes      ${faults.length}  ${verdict(faults.length === 0)}  ${faults[0] ?? ''}`,
      )
      console.log(`  errors that nobody caught  ${strays.length}  ${verdict(strays.length === 0)}`)
      console.log(
        `  slowest answer             ${Math.round(slowestMs)} ms  ${verdict(slowestMs <= TARGET_ANSWER_MS)} (target 12 s)`,
      )
      console.log(
        `  memory held after it       ${mib(used)} more  ${verdict(used <= TARGET_GROWTH_BYTES)} (target 64 MiB; resident ${mib(resident)} more)`,
      )
    })
  } finally {
    await standIn.close()
    process.off('unhandledRejection', noteStray)
  }
}

function mib(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}
