import type { Profile } from '#contract/bff/profile.ts'
import type { Role, Session } from '#contract/bff/session.ts'
import type { Source } from '#contract/bff/source.ts'
import { FRESH, type Replies, type Reply, reply } from './page-state.ts'

const BUDGETS = {
  minute: { limit: 10, remaining: 8, resetsAt: null },
  day: { limit: 1_000, remaining: 640, resetsAt: null },
}

const PERMITTED = { status: 'permitted', reason: null, budgets: BUDGETS, blockedUntil: null } as const

/** A vendor on a middling plan, its window filled. */
export const SOURCE: Source = {
  kind: 'vendor',
  isDemo: false,
  isOwnService: false,
  key: 'valid',
  sets: { v1: PERMITTED, earlier: PERMITTED },
  window: {
    status: 'complete',
    from: '2026-10-22T00:00:00.000Z',
    to: '2026-11-21T12:03:00.000Z',
    threats: 8_412,
    lastReadAt: '2026-11-21T12:03:00.000Z',
    trouble: null,
  },
  trialExpiresAt: null,
  categories: ['Ransomware', 'Data Breach', 'Initial Access', 'DDoS', 'Other'],
}

export function signedInAs(role: Role): Reply {
  const user = { id: 'u-1', email: 'ada@lantern.example', name: 'Ada Example', role }
  return reply<Session>({ user, expiresAt: '2099-01-01T00:00:00Z' })
}

const PROFILE: Profile = {
  id: 'u-1',
  email: 'ada@lantern.example',
  name: 'Ada Example',
  role: 'analyst',
  hasPassword: true,
  hasSingleSignOn: false,
  preferences: null,
}

/** What pages ask whatever they are about. */
const COMMON: Replies = {
  session: signedInAs('analyst'),
  source: reply(SOURCE),
  profile: reply(PROFILE),
  views: reply({ views: [] }),
  live: 'never',
  'triage/states': reply({ states: [] }),
  triage: reply({ states: [], undoId: null }),
  'sign-in/options': reply({ hasSession: true, hasSingleSignOn: false }),
  alerts: reply({ profiles: [], unreadable: 0, freshness: FRESH }),
}

/** Takes the place of `fetch` for one state of a page. */
export function createStandInBff(replies: Replies): typeof fetch {
  const served: Replies = { ...COMMON, ...replies }
  return async (input, init) => {
    const path = decodeURIComponent(new URL(String(input), 'http://stand-in').pathname)
    const found = served[path.replace('/bff/', '')]
    if (found === 'never') return untilAborted(init?.signal)
    if (found === undefined) console.error(`No fixture answers ${path}`)
    const { status, body } = found ?? { status: 404, body: null }
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  }
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
