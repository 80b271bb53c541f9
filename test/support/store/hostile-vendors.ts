import fc from 'fast-check'
import { readThreatId } from '#bff/upstream/reader/read-threat-id.ts'
import { describeMissing } from '#contract/bff/freshness.ts'
import { DAY_MS, MINUTE_MS } from '#contract/duration.ts'
import type { Database } from '#database/database.ts'
import { AWKWARD_IDS } from '#test/support/awkward-ids.ts'
import { NOON_MS } from '#test/support/start-governed.ts'
import { openUnruly } from './read-unruly.ts'
import type { SentRecord, UnrulyList } from './unruly-list.ts'

const FILLED_FROM_MS = Math.floor(NOON_MS / DAY_MS) * DAY_MS - 30 * DAY_MS
const TABLES = [
  ...[
    'window_threat',
    'window_term',
    'window_reach',
    'window_listed',
    'window_unreadable',
    'window_missed',
    'window_trouble',
  ],
  ...['listed_threat', 'upstream_call', 'call_budget', 'refused_key', 'stored_answer'],
]
/** Of a list that is as long as these: two readings of it, a look each half hour, and what a refusal costs. */
const CALLS_MAX = 250

const ids = fc.oneof(
  { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.values(AWKWARD_IDS)) },
)
const times = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.integer({ min: 0, max: 29 * 24 * 60 }).map((minutes) => NOON_MS - minutes * MINUTE_MS),
  },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }).map((days) => NOON_MS + days * DAY_MS) },
  { weight: 1, arbitrary: fc.integer({ min: 31, max: 4_000 }).map((days) => NOON_MS - days * DAY_MS) },
)
const broken: fc.Arbitrary<unknown> = fc.constantFrom(
  null,
  'text',
  7,
  [],
  {},
  { title: 'No id' },
  { id: {} },
  { id: '' },
)

/** `id` as it is sent; null where it is no record. */
type Sent = SentRecord & { id: string | null }

const ORDERS = {
  newestFirst: (a: Sent, b: Sent) => (b.time ?? 0) - (a.time ?? 0),
  oldestFirst: (a: Sent, b: Sent) => (a.time ?? 0) - (b.time ?? 0),
  none: () => 0,
}

const TOTALS: Record<string, UnrulyList['total']> = {
  right: (found) => found,
  absent: () => null,
  more: (found) => found && found + 3,
  fewer: (found) => Math.floor(found / 2),
  ofThePage: (_found, onPage) => onPage,
  ofAll: (_found, _onPage, all) => all,
}

export type HostileVendor = Omit<UnrulyList, 'records' | 'total'> & {
  records: readonly Sent[]
  total: string
}

/** A vendor that does not order, page, date or count as documented, in either API. */
export const hostileVendors: fc.Arbitrary<HostileVendor> = fc
  .record({
    set: fc.constantFrom('v1' as const, 'earlier' as const),
    entries: fc.uniqueArray(fc.record({ id: ids, time: times }), {
      maxLength: 40,
      selector: ({ id }) => keyOf(id),
    }),
    faults: fc.oneof(
      fc.constant([]),
      fc.array(fc.record({ value: broken, at: fc.nat(39) }), { minLength: 1, maxLength: 5 }),
    ),
    order: fc.constantFrom(...Object.values(ORDERS)),
    pageMax: fc.integer({ min: 6, max: 25 }),
    total: fc.constantFrom(...Object.keys(TOTALS)),
    isBoundApplied: fc.boolean(),
    further: fc.oneof(
      { weight: 3, arbitrary: fc.constant('fine' as const) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          ...(['refused', 'refusedWithBound', 'repeatsForever', 'emptyForever', 'inCircles'] as const),
        ),
      },
    ),
    contentType: fc.constantFrom('application/json', 'text/plain; charset=utf-8', 'text/html', null),
  })
  .map(({ entries, faults, order, ...rest }) => {
    const records: Sent[] = entries.map(({ id, time }) => ({
      id,
      time,
      record: toRecord(rest.set, id, time),
    }))
    records.sort(order)
    for (const { value, at } of faults) records.splice(at, 0, { id: null, time: null, record: value })
    return { ...rest, records }
  })

function toRecord(set: UnrulyList['set'], id: string, time: number | null) {
  const date =
    time === null ? {} : { [set === 'v1' ? 'published_at' : 'posted_at']: new Date(time).toISOString() }
  return { id, title: 'A record', category: 'Ransomware', ...date }
}

/** The id that Lantern gives it: two that are one id there are one record. */
function keyOf(id: string): string {
  return readThreatId(id)?.id ?? ''
}

/** What Lantern claims of a vendor that it should not, after some hours; null where all is as it says. */
export async function findFalseClaim(database: Database, vendor: HostileVendor): Promise<string | null> {
  for (const table of TABLES) await database.query(`delete from ${table}`)
  const total = TOTALS[vendor.total] ?? (() => null)
  const lantern = await openUnruly(database, { ...vendor, total })
  try {
    // What is read at first, and what two readings again make of it.
    for (let readings = 0; readings < 3; readings++) {
      await lantern.settle()
      lantern.clock.wait(61 * MINUTE_MS)
    }
    const feed = await lantern.feed()
    return judge(vendor, { ...feed, calls: lantern.standIn.calls.length })
  } finally {
    await lantern.close()
  }
}

type Feed = Awaited<ReturnType<Awaited<ReturnType<typeof openUnruly>>['feed']>> & { calls: number }

function judge(
  vendor: HostileVendor,
  { ids: shown, total, isTotalExact, missing, state, calls }: Feed,
): string | null {
  const sent = vendor.records.filter(({ id }) => id !== null)
  const faults = vendor.records.length - sent.length
  const known = new Set(sent.map(({ id }) => keyOf(id ?? '')))
  // What is too old is not looked for; what says no date may be as old as what it stands beside.
  const due = sent.filter(({ time }) => time !== null && time >= FILLED_FROM_MS)
  const lacking = due.filter(({ id }) => !shown.includes(keyOf(id ?? '')))
  const hasOld = sent.some(({ time }) => time !== null && time < FILLED_FROM_MS)
  const undated = sent.filter(({ time, id }) => time === null && !shown.includes(keyOf(id ?? '')))
  const isWhole = lacking.length === 0 && (hasOld || undated.length === 0)
  const claims = isTotalExact || state.status === 'complete'
  const reasons = [...describeMissing(missing), state.trouble ?? []].flat()

  if (total !== shown.length) return `counts ${total} and lists ${shown.length}`
  if (new Set(shown).size !== shown.length) return 'lists a record twice'
  if (shown.some((id) => !known.has(id))) return 'lists what was not sent'
  if (isTotalExact !== (state.status === 'complete')) return `is ${state.status}, and exact: ${isTotalExact}`
  if (claims && !isWhole) return `claims all, and lacks ${lacking.length} dated and ${undated.length} undated`
  if (claims && faults > 0 && !(vendor.isBoundApplied && hasOld))
    return `claims all, and ${faults} were unreadable`
  if (!claims && state.status !== 'empty' && reasons.length === 0) return 'does not say why it claims nothing'
  if (calls > CALLS_MAX) return `asks ${calls} times`
  const isFair = ['fine', 'refusedWithBound'].includes(vendor.further) && vendor.total !== 'more'
  if (!isFair || state.status === 'empty') return null
  if (!isWhole) return `lacks ${lacking.length} dated and ${undated.length} undated that it could have read`
  if ((missing?.unreadable?.count ?? 0) !== faults)
    return `counts ${missing?.unreadable?.count} of ${faults} faults`
  if (faults === 0 && !claims) return `claims nothing, because: ${reasons.join(' ')}`
  return null
}
