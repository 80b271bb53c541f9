import type { CaseAnswer } from '#contract/bff/case.ts'
import type { ThreatNotifications } from '#contract/bff/delivery-ledger.ts'
import type { Factors } from '#contract/bff/factor.ts'
import type { FullTextSearch } from '#contract/bff/full-text-search.ts'
import type { HistoryLoads } from '#contract/bff/history-load.ts'
import type { Inbox } from '#contract/bff/inbox.ts'
import type { OwnSession, OwnSessions } from '#contract/bff/own-session.ts'
import type { Profile } from '#contract/bff/profile.ts'
import type { Role, Session } from '#contract/bff/session.ts'
import type { Source } from '#contract/bff/source.ts'
import { aLanternProfileList, anAlertHealth } from '#test/fixtures/delivery-fixtures.ts'
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
  hasChosenTimeZone: true,
  hasSeenWelcome: true,
}

const THIS_SESSION: OwnSession = {
  id: 's-1',
  device: 'Firefox on Linux',
  address: '203.0.113.7',
  beganBy: 'password',
  beganAt: '2026-11-21T09:00:00.000Z',
  usedAt: '2026-11-21T12:00:00.000Z',
  isThis: true,
}

/** What pages ask whatever they are about. */
const COMMON: Replies = {
  '/healthz': reply(null),
  session: signedInAs('analyst'),
  source: reply(SOURCE),
  'history-loads': reply<HistoryLoads>({ loads: [], offer: null, refusal: null }),
  profile: reply(PROFILE),
  views: reply({ views: [] }),
  live: 'never',
  'full-text-searches': reply<FullTextSearch>({
    words: '"pale harbour"',
    refusal: null,
    isStored: false,
    last: null,
  }),
  'alerts/health': reply(anAlertHealth()),
  'alert-profiles': reply(aLanternProfileList([])),
  'alert-profiles/users': reply({ users: [] }),
  inbox: reply<Inbox>({ items: [], unread: 0 }),
  'triage/states': reply({ states: [] }),
  triage: reply({ states: [], undoId: null, caseCount: 0, overtook: null }),
  factors: reply<Factors>({
    hasPassword: true,
    totp: null,
    passkeys: [],
    recoveryCodes: 0,
    isRequired: false,
  }),
  sessions: reply<OwnSessions>({ sessions: [THIS_SESSION] }),
  'sign-in/options': reply({ hasSession: true, hasSingleSignOn: false, hasPasswordSignIn: true }),
  alerts: reply({ profiles: [], extension: null, unreadable: 0, days: [], freshness: FRESH }),
}

/** Whom a threat was told, on every threat's page. */
const TOLD = /^\/bff\/threats\/.+\/deliveries$/
const CASE = /^\/bff\/threats\/.+\/case$/
const MUTES = /^\/bff\/alert-profiles\/.+\/mutes$/
const NO_MUTES = reply({ mutes: [], canChange: true })
const NO_CASE = reply<CaseAnswer>({ found: null, isComparing: false })
const NOBODY = reply<ThreatNotifications>({ deliveries: [], isVendorSending: false })

/** Takes the place of `fetch` for one state of a page. */
export function createStandInBff(replies: Replies): typeof fetch {
  const served: Replies = { ...COMMON, ...replies }
  const requested = new Set<string>()
  return async (input, init) => {
    const path = decodeURIComponent(new URL(String(input), 'http://stand-in').pathname)
    const found = served[path.replace('/bff/', '')] ?? replyByPattern(path)
    const current =
      typeof found === 'object' && 'first' in found
        ? requested.has(path)
          ? found.later
          : found.first
        : found
    requested.add(path)
    if (current === 'never') return untilAborted(init?.signal)
    if (current === undefined) console.error(`No fixture answers ${path}`)
    const { status, body } = current ?? { status: 404, body: null }
    return new Response(status === 204 ? null : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json' },
    })
  }
}

function replyByPattern(path: string): Reply | undefined {
  if (TOLD.test(path)) return NOBODY
  if (CASE.test(path)) return NO_CASE
  return MUTES.test(path) ? NO_MUTES : undefined
}

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
