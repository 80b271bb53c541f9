import { problemSchema } from '#contract/bff/problem.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { Random } from '#test/support/random.ts'
import { fillStore } from './fill-store.ts'
import { makePair, type Pair } from './random-questions.ts'
import { PLANS, VENDORS, type WiderPlan, type WiderVendor } from './vendor-records.ts'

/** Each vendor with each plan, and pairs of its own. */
export const WIDER_CASES = Object.entries(VENDORS).flatMap(([vendorName, vendor], vendorAt) =>
  Object.entries(PLANS).map(([planName, plan], planAt) => ({
    vendorName,
    vendor,
    planName,
    plan,
    seed: 10_000 * (1 + vendorAt) + 1_000 * planAt,
  })),
)

type Ask = Awaited<ReturnType<typeof fillStore>>['ask']
type Listed = { ids: string[]; total: number }

export type Lost = {
  /** Pairs of which the narrower question has an answer, and of which the wider one has more. */
  withAnswers: number
  withMore: number
  /** What a wider question lacks, and totals that are not what pages bring, each with its seed and addresses. */
  faults: string[]
}

/** Asks pairs of questions of a store that is half filled, then of one that holds all that the key may read. */
export async function findLostAnswers(
  database: OpenDatabase,
  { vendor, plan, seed, pairs }: { vendor: WiderVendor; plan: WiderPlan; seed: number; pairs: number },
): Promise<Lost> {
  const lost: Lost = { withAnswers: 0, withMore: 0, faults: [] }
  const filled = await fillStore(database, { vendor, plan, random: new Random(seed) })
  const { ask } = filled

  async function compare(pair: Pair, pairSeed: number): Promise<void> {
    const isWideFirst = pairSeed % 2 === 0
    const first = await listAll(ask, isWideFirst ? pair.wide : pair.narrow)
    const second = await listAll(ask, isWideFirst ? pair.narrow : pair.wide)
    const [narrow, wide] = isWideFirst ? [second, first] : [first, second]
    if (narrow.ids.length > 0) lost.withAnswers++
    if (wide.ids.length > narrow.ids.length) lost.withMore++
    const found = new Set(wide.ids)
    const missing = narrow.ids.filter((id) => !found.has(id))
    const faults = [
      missing.length > 0 ? `the wider one lacks ${missing.join()}` : [],
      faultsOf('narrow', narrow),
      faultsOf('wide', wide),
    ].flat()
    const asked = `seed ${pairSeed}: ${decodeURIComponent(`${pair.narrow}`)} | ${decodeURIComponent(`${pair.wide}`)}`
    lost.faults.push(...faults.map((fault) => `${asked}: ${fault}`))
  }

  async function comparePairs(first: number): Promise<void> {
    for (let pairSeed = first; pairSeed < first + pairs; pairSeed++)
      await compare(makePair(new Random(pairSeed), filled.nowMs()), pairSeed)
  }

  try {
    await filled.fillHalf()
    await filled.use((await listAll(ask, new URLSearchParams())).ids)
    await comparePairs(seed)
    await filled.fillAll()
    const { ids } = await listAll(ask, new URLSearchParams())
    if (ids.toSorted().join() !== filled.readableIds().join())
      lost.faults.push('not all that can be read is listed')
    await filled.use(ids)
    await comparePairs(seed + pairs)
    return lost
  } finally {
    await filled.close()
  }
}

async function listAll(ask: Ask, query: URLSearchParams): Promise<Listed> {
  const ids: string[] = []
  const address = new URLSearchParams(query)
  for (;;) {
    const response = await ask(`/bff/threats?${address}`)
    const body: unknown = await response.json()
    if (!response.ok)
      throw new Error(`${decodeURIComponent(`${address}`)}: ${problemSchema.parse(body).detail}`)
    const { threats, total, nextCursor } = threatListSchema.parse(body)
    ids.push(...threats.map(({ id }) => id))
    if (nextCursor === null) return { ids, total }
    address.set('cursor', nextCursor)
  }
}

function faultsOf(name: string, { ids, total }: Listed): string[] {
  if (new Set(ids).size < ids.length) return [`the ${name} one lists a threat twice`]
  return total === ids.length ? [] : [`the ${name} one counts ${total} and lists ${ids.length}`]
}
