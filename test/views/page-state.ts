import type { Freshness } from '#contract/bff/freshness.ts'
import type { Problem } from '#contract/bff/problem.ts'

/** An answer of the stand-in BFF: a JSON body with its status, or none ever. */
export type Reply = { status: number; body: unknown } | 'never'

/** The reply to the first request, and the one to all later ones. */
export type ChangingReply = { first: Reply; later: Reply }

/** By path below `/bff/`, without the query. */
export type Replies = Readonly<Record<string, Reply | ChangingReply>>

/** A page of the app in one of its states. */
export type PageState = {
  /** What the list calls it; the first word or two are the page. */
  page: string
  state: string
  /** Where the app is opened. */
  url: string
  /** What the page asks, beside what every page does. */
  replies: Replies
  /** Words that only this state shows. */
  says: string
  /** The name of a button that is pressed once it is there. */
  press?: string
}

export function reply<T>(body: T): Reply {
  return { status: 200, body }
}

/** Refused or failed, as the BFF says it. */
export function refuse(code: Problem['code'], status: number, some: Partial<Problem> = {}): Reply {
  const problem: Problem = {
    type: 'about:blank',
    title: `What happened (${code})`,
    detail: 'What the reader can do about it.',
    status,
    code,
    requestId: 'abcdef01-2345',
    ...some,
  }
  return { status, body: problem }
}

export const FRESH: Freshness = {
  fetchedAt: '2026-11-21T12:03:00.000Z',
  isStale: false,
  staleReason: null,
  coverage: {
    status: 'complete',
    from: '2026-10-22T12:00:00.000Z',
    to: '2026-11-21T12:00:00.000Z',
    gaps: [],
  },
  checked: { from: '2026-10-22T12:00:00.000Z', at: '2026-11-21T11:21:00.000Z' },
}

export const STALE: Freshness = {
  ...FRESH,
  fetchedAt: '2026-11-20T09:00:00.000Z',
  isStale: true,
  staleReason: 'The vendor has not answered since.',
}
