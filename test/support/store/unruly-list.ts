import type { StandInCall, StandInReply, StandInUpstream } from '#test/support/stand-in-upstream.ts'
import { earlierList, v1List } from '#test/support/upstream-records.ts'

/** A record as it is sent, and when it is from; null where it does not say. */
export type SentRecord = { record: unknown; time: number | null }

export type UnrulyList = {
  set: 'v1' | 'earlier'
  /** In the list's own order. */
  records: readonly SentRecord[]
  pageMax: number
  /** What it says of all its records, by how many a question finds and how many the page holds. */
  total: (found: number, onPage: number, all: number) => unknown
  isBoundApplied: boolean
  /** What becomes of a question for a further page; where it never ends, of one behind the last record. */
  further: 'fine' | 'refused' | 'refusedWithBound' | 'repeatsForever' | 'emptyForever' | 'inCircles'
  contentType: string | null
}

export const LIST_PATHS = { v1: '/api/v1/threats', earlier: '/api/feed' } as const
const REFUSED: StandInReply = { status: 400, json: { error: 'Invalid cursor' } }
const FORBIDDEN: StandInReply = { status: 403, json: { error: 'Your plan has no such API' } }

/** Plays a vendor whose list does not behave as documented; it may be changed meanwhile. Its other API is closed. */
export function playUnruly(standIn: StandInUpstream, list: UnrulyList): void {
  standIn.play(LIST_PATHS[list.set === 'v1' ? 'earlier' : 'v1'], FORBIDDEN)
  standIn.play(LIST_PATHS[list.set], (call) => withType(answer(list, call), list.contentType))
}

function answer(list: UnrulyList, { query }: StandInCall): StandInReply {
  const bound = list.isBoundApplied ? (query.since ?? query.date_from) : undefined
  const [offsetText = '', ofCursor] = (query.cursor ?? query.offset ?? '0').split('|')
  const since = Date.parse(bound ?? ofCursor ?? '1970-01-01')
  const offset = Number(offsetText)
  const isFurther = offset > 0
  if (isFurther && list.further === 'refused') return REFUSED
  if (isFurther && list.further === 'refusedWithBound' && query.since !== undefined) return REFUSED
  const found = list.records.filter(({ time }) => time === null || time >= since)
  const size = Math.min(list.pageMax, Number(query.limit ?? 50))
  const at =
    list.further === 'repeatsForever' && offset >= found.length ? Math.max(0, found.length - size) : offset
  const page = found.slice(at, at + size).map(({ record }) => record)
  const end = offset + size
  const isOver = end >= found.length && ['fine', 'refused', 'refusedWithBound'].includes(list.further)
  const next = list.further === 'inCircles' && end >= found.length ? 0 : end
  const total = list.total(found.length, page.length, list.records.length)
  if (list.set === 'earlier')
    return { json: earlierList(page, { total, limit: size, offset, has_more: !isOver }) }
  const kept =
    list.isBoundApplied && bound !== undefined ? `|${bound}` : ofCursor === undefined ? '' : `|${ofCursor}`
  return { json: v1List(page, { total, cursor: isOver ? null : `${next}${kept}` }) }
}

function withType({ json, ...reply }: StandInReply, contentType: string | null): StandInReply {
  if (contentType !== null) return { ...reply, json, headers: { 'content-type': contentType } }
  return {
    act(response) {
      response.statusCode = reply.status ?? 200
      response.end(JSON.stringify(json))
    },
  }
}
