import type { RouteSet } from '#contract/route-set.ts'
import { limitCalls, type Plan } from '#test/support/limit-calls.ts'
import type { StandInCall, StandInReply, StandInUpstream } from '#test/support/stand-in-upstream.ts'

export type EditedRecord = { id: string; title: string; atMs: number }

type EditingVendor = {
  plan: Plan
  set: RouteSet
  nowMs: () => number
  /** Whether its lists name how many records they hold. */
  hasTotal?: boolean
  /** The order of the list at each request; newest first unless given. */
  sort?: (records: readonly EditedRecord[]) => EditedRecord[]
  /** Answers in the place of the list, where it answers at all. */
  fault?: () => StandInReply | undefined
}

const PATHS = { v1: '/api/v1/threats', earlier: '/api/feed' } as const
const FORBIDDEN = { status: 403, json: { error: 'Your plan has no API access' } }

/** Plays a vendor of one route set whose records a test corrects, back-dates and withdraws meanwhile. */
export function playEditingVendor(
  standIn: StandInUpstream,
  { plan, set, nowMs, hasTotal = true, sort = newestFirst, fault = () => undefined }: EditingVendor,
) {
  const records = new Map<string, EditedRecord>()
  const limits = limitCalls(plan, nowMs)

  function list({ query }: StandInCall) {
    const bound = Date.parse(query.since ?? query.date_from ?? '1970-01-01')
    const all = sort([...records.values()].filter(({ atMs }) => atMs >= bound && atMs <= nowMs()))
    const start = Number(query.cursor ?? query.offset ?? 0)
    const end = start + Math.min(50, Number(query.limit ?? 50))
    const page = all
      .slice(start, end)
      .map(({ id, title, atMs }) => ({ id, title, at: new Date(atMs).toISOString() }))
    const total = hasTotal ? { total: all.length } : {}
    if (set === 'v1') {
      const data = page.map(({ at, ...record }) => ({ ...record, published_at: at }))
      return { data, meta: { ...total, cursor: end < all.length ? String(end) : null } }
    }
    const threats = page.map(({ at, ...record }) => ({ ...record, posted_at: at }))
    return { threats, pagination: { ...total, has_more: end < all.length } }
  }

  const queries: Record<string, string>[] = []
  for (const name of ['v1', 'earlier'] as const)
    standIn.play(PATHS[name], (call) => {
      if (name !== set) return FORBIDDEN
      queries.push(call.query)
      return fault() ?? limits.reply(() => list(call))
    })
  return { records, limits, queries }
}

function newestFirst(records: readonly EditedRecord[]): EditedRecord[] {
  return records.toSorted((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1))
}
