import type { RouteSet } from '#contract/route-set.ts'
import type { CallLimits } from '#test/support/limit-calls.ts'
import type { StandInCall, StandInReply, StandInUpstream } from '#test/support/stand-in-upstream.ts'

export type PastRecord = {
  id: string
  title: string
  atMs: number
  /** What a route set lists beside these, or in their place. */
  fields?: Partial<Record<RouteSet, Record<string, unknown>>>
  /** What the earlier set's search finds words in. */
  content?: string
}

type PastVendor = {
  records: readonly PastRecord[]
  /** How far back each set lists records, epoch milliseconds. */
  v1From: number
  earlierFrom: number
  /** Whether v1 refuses a bound before its plan's window; otherwise it lists less without a word. */
  isV1Bound?: boolean
  /** Of both lists; none unless given. */
  limits?: CallLimits
  /** The key has this route set alone. */
  alone?: RouteSet
}

/** What the earlier set's list does beside what is documented. */
export type PastRules = {
  /** Answers in the place of the list, where it answers at all. */
  fault?: (call: StandInCall, page: number) => StandInReply | undefined
  sort?: (records: readonly PastRecord[]) => PastRecord[]
  /** What it says of all records; null says nothing. */
  totalOf?: (listed: readonly PastRecord[]) => number | null
  /** Whether it keeps to the dates of a request. */
  isUnbounded?: boolean
  headers?: Record<string, string>
}

/** Plays a vendor whose key has both route sets, with windows of their own. */
export function playPast(
  standIn: StandInUpstream,
  { records, v1From, earlierFrom, isV1Bound, alone, limits }: PastVendor,
) {
  let rules: PastRules = {}
  let listed = records
  const newestFirst = (all: readonly PastRecord[]) => all.toSorted((a, b) => b.atMs - a.atMs)

  const send = (json: unknown) => (limits ? limits.reply(() => json) : { json })
  const closed = { status: 403, json: { error: 'Your plan has no access to this API' } }

  standIn.play('/api/v1/threats', ({ query }) => {
    if (alone === 'earlier') return closed
    if (isV1Bound && query.since && Date.parse(query.since) < v1From)
      return { status: 403, json: { error: 'Outside the data window of your plan' } }
    const from = Math.max(v1From, Date.parse(query.since ?? '1970-01-01'))
    const all = newestFirst(listed).filter(({ atMs }) => atMs >= from)
    const start = Number(query.cursor ?? 0)
    const page = all.slice(start, start + Number(query.limit ?? 50))
    const cursor = start + page.length < all.length ? String(start + page.length) : null
    const data = page.map(({ id, title, atMs, fields }) => ({
      id,
      title,
      published_at: iso(atMs),
      ...fields?.v1,
    }))
    return send({ data, meta: { total: all.length, returned: data.length, cursor } })
  })
  standIn.play('/api/feed', (call) => {
    const { query } = call
    if (alone === 'v1') return closed
    const page = standIn.calls.filter(({ path }) => path === '/api/feed').length
    const reply = rules.fault?.(call, page)
    if (reply) return reply
    const dateFrom = rules.isUnbounded ? 0 : Date.parse(query.date_from ?? '1970-01-01')
    const dateTo = rules.isUnbounded ? Infinity : Date.parse(query.date_to ?? '2100-01-01') + 86_400_000
    const words = query.search?.toLowerCase().match(/\p{L}+/gu) ?? []
    const all = (rules.sort ?? newestFirst)(
      listed.filter(
        ({ atMs, content = '' }) =>
          atMs >= Math.max(earlierFrom, dateFrom) &&
          atMs < dateTo &&
          words.every((word) => content.includes(word)),
      ),
    )
    const offset = Number(query.offset ?? 0)
    const threats = all
      .slice(offset, offset + Number(query.limit ?? 20))
      .map(({ id, title, atMs, fields }) => ({ id, title, posted_at: iso(atMs), ...fields?.earlier }))
    const total = rules.totalOf ? rules.totalOf(all) : all.length
    const pagination = { total, offset, has_more: offset + threats.length < all.length }
    return { ...send({ threats, pagination }), ...(rules.headers && { headers: rules.headers }) }
  })

  return {
    set: (next: PastRules) => (rules = next),
    list: (next: readonly PastRecord[]) => (listed = next),
    /** Requests for the earlier set's list, as month, offset. */
    feedCalls: () =>
      standIn.calls
        .filter(({ path }) => path === '/api/feed')
        .map(({ query }) => `${query.date_from ?? ''}..${query.date_to ?? ''} ${query.offset}`),
  }
}

/** Records at even distances, newest first. */
export function recordsBetween(fromMs: number, toMs: number, everyMs: number): PastRecord[] {
  const records: PastRecord[] = []
  for (let atMs = toMs; atMs >= fromMs; atMs -= everyMs)
    records.push({ id: `thr_${Math.floor(atMs / 60_000)}`, title: `Leak of ${iso(atMs)}`, atMs })
  return records
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
