import { UpstreamError, type UpstreamErrorKind } from '#bff/upstream/client/upstream-error.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { makeUpstream } from '#test/support/stub-upstream.ts'

export type VendorRecord = { id: string; title: string; time: number }
export type VendorCall = { set: RouteSet; query: Record<string, string | number | undefined> }

const LIMIT_MAX = 100

/** A vendor's two lists over records that a test changes meanwhile, in the place of the client. */
export function createFakeVendor(records: VendorRecord[]) {
  const calls: VendorCall[] = []
  const rules: {
    sets: RouteSet[]
    windowStart: number
    isRedacted: boolean
    failWith: UpstreamErrorKind | null
    /** After so many pages the first one comes again. */
    circle: number | null
    /** Cuts its lists at the plan's window without a word. */
    isSilent?: boolean
  } = {
    sets: ['v1', 'earlier'],
    windowStart: 0,
    isRedacted: false,
    failWith: null,
    circle: null,
  }
  const fail = (set: RouteSet, kind: UpstreamErrorKind) => new UpstreamError({ set, kind, reason: 'a test' })
  const newestFirst = (since: number) =>
    records
      .filter(({ time }) => time >= Math.max(since, rules.windowStart))
      .sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1))

  function listV1({ since, cursor, limit }: VendorCall['query']) {
    if (since !== undefined && !rules.isSilent && Date.parse(String(since)) < rules.windowStart)
      throw fail('v1', 'forbidden')
    const list = newestFirst(since === undefined ? 0 : Date.parse(String(since)))
    const [time, id] = String(cursor ?? '').split(' ')
    const rest = cursor
      ? list.filter((one) => one.time < Number(time) || (one.time === Number(time) && one.id < String(id)))
      : list
    const page = rest.slice(0, Number(limit))
    const last = page.at(-1)
    return {
      data: page.map(({ id, title, time }) => ({
        id,
        title: rules.isRedacted ? '[redacted]' : title,
        published_at: new Date(time).toISOString(),
      })),
      meta: {
        total: list.length,
        cursor: nextCursor(list, page, last && rest.length > page.length ? `${last.time} ${last.id}` : null),
      },
    }
  }

  function nextCursor(list: VendorRecord[], page: VendorRecord[], next: string | null): string | null {
    const first = list[page.length - 1]
    const isTurn = first && rules.circle !== null && page.at(-1) === list[rules.circle * page.length - 1]
    return isTurn ? `${first.time} ${first.id}` : next
  }

  function listFeed({ offset, limit }: VendorCall['query']) {
    const list = newestFirst(0)
    const page = list.slice(Number(offset), Number(offset) + Number(limit))
    return {
      threats: page.map(({ id, title, time }) => ({ id, title, posted_at: new Date(time).toISOString() })),
      pagination: { total: list.length, has_more: Number(offset) + page.length < list.length },
    }
  }

  const noBudgets = { minute: null, day: null }
  const setState = { status: 'permitted' as const, reason: null, budgets: noBudgets, blockedUntil: null }
  const upstream = makeUpstream({
    async call(name, { query = {} }) {
      const set = name === 'listThreats' ? 'v1' : 'earlier'
      calls.push({ set, query })
      if (rules.failWith) throw fail(set, rules.failWith)
      if (!rules.sets.includes(set)) throw fail(set, 'set_forbidden')
      if (Number(query.limit) > LIMIT_MAX) throw fail(set, 'rejected')
      return set === 'v1' ? listV1(query) : listFeed(query)
    },
    permittedSets: () => rules.sets,
    data: () => ({ version: null, window: null, listsContent: false }),
    state: async () => ({
      isDemo: false,
      isOwnService: false,
      connectionFault: null,
      key: 'valid',
      sets: { v1: setState, earlier: setState },
      trialExpiresAt: null,
    }),
  })
  return { upstream, calls, rules, records }
}
