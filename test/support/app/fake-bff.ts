import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import type { Factors } from '#contract/bff/factor.ts'
import type { OwnSession } from '#contract/bff/own-session.ts'
import type { Problem } from '#contract/bff/problem.ts'
import { type Profile, profileChangeSchema, profileSchema } from '#contract/bff/profile.ts'
import type { Role, Session } from '#contract/bff/session.ts'
import type { Source } from '#contract/bff/source.ts'
import { aBacktest, FRESH } from '#test/fixtures/alert-fixtures.ts'
import { aLanternProfileList, anAlertHealth } from '#test/fixtures/delivery-fixtures.ts'

export const SESSION: Session = {
  user: {
    id: 'a0000000-0000-4000-8000-000000000001',
    email: 'ada@lantern.example',
    name: 'Ada Example',
    role: 'analyst',
  },
  expiresAt: '2099-01-01T00:00:00Z',
}

export const PROFILE: Profile = {
  ...SESSION.user,
  hasPassword: true,
  hasSingleSignOn: false,
  preferences: null,
  hasChosenTimeZone: true,
  hasSeenWelcome: true,
}

export const FACTORS: Factors = {
  hasPassword: true,
  totp: null,
  passkeys: [],
  recoveryCodes: 0,
  isRequired: false,
}

export const OWN_SESSION: OwnSession = {
  id: 's-1',
  device: 'Firefox on Linux',
  address: '203.0.113.7',
  beganBy: 'password',
  beganAt: '2026-11-21T09:00:00Z',
  usedAt: '2026-11-21T12:00:00Z',
  isThis: true,
}

export const SOURCE: Source = {
  kind: 'vendor',
  isDemo: false,
  isOwnService: false,
  key: 'valid',
  sets: {
    v1: { status: 'permitted', reason: null, budgets: { minute: null, day: null }, blockedUntil: null },
    earlier: { status: 'permitted', reason: null, budgets: { minute: null, day: null }, blockedUntil: null },
  },
  window: { status: 'empty', from: null, to: null, threats: 0, lastReadAt: null, trouble: null },
  trialExpiresAt: null,
  categories: ['Ransomware', 'Data Breach', 'Initial Access', 'DDoS', 'Other'],
}

/** A BFF for page tests: someone is signed in, and each test adds the answers that its page needs with `fakeBff.use(...)`. */
export const fakeBff = setupServer(
  http.get('/healthz', () => new HttpResponse(null)),
  http.get('/bff/session', () => HttpResponse.json(SESSION)),
  http.get('/bff/sign-in/options', () =>
    HttpResponse.json({ hasSession: true, hasSingleSignOn: false, hasPasswordSignIn: true }),
  ),
  http.get('/bff/source', () => HttpResponse.json(SOURCE)),
  http.get('/bff/history-loads', () => HttpResponse.json({ loads: [], offer: null, refusal: null })),
  http.get('/bff/threats/:id/stored', () => HttpResponse.json(null)),
  http.get('/bff/facets/:name', () => HttpResponse.json({ values: null, more: 0, isExact: false })),
  http.get('/bff/conditions', () => HttpResponse.json({ conditions: null, more: 0, isExact: false })),
  http.get('/bff/full-text-searches', () =>
    HttpResponse.json({ words: 'words', refusal: null, isStored: false, last: null }),
  ),
  http.get('/bff/threats/:id/case', () => HttpResponse.json({ found: null, isComparing: false })),
  http.get('/bff/threats/:id/profiles', () =>
    HttpResponse.json({ profiles: [], vendorProblem: null, freshness: FRESH }),
  ),
  http.post('/bff/alert-profiles/backtest', () => HttpResponse.json(aBacktest())),
  http.post('/bff/triage/states', () => HttpResponse.json({ states: [] })),
  http.get('/bff/triage/:id/history', () => HttpResponse.json({ events: [] })),
  http.post('/bff/triage', () =>
    HttpResponse.json({ states: [], undoId: null, caseCount: 0, overtook: null }),
  ),
  http.get('/bff/views', () => HttpResponse.json({ views: [] })),
  http.get('/bff/alerts/health', () => HttpResponse.json(anAlertHealth())),
  http.get('/bff/alert-profiles/users', () => HttpResponse.json({ users: [] })),
  http.get('/bff/alert-profiles/:id/mutes', () => HttpResponse.json({ mutes: [], canChange: false })),
  http.get('/bff/alert-profiles', () => HttpResponse.json(aLanternProfileList([]))),
  http.get('/bff/threats/:id/deliveries', () =>
    HttpResponse.json({ deliveries: [], isVendorSending: false }),
  ),
  http.get('/bff/inbox', () => HttpResponse.json({ items: [], unread: 0 })),
  http.get('/bff/factors', () => HttpResponse.json(FACTORS)),
  http.get('/bff/sessions', () => HttpResponse.json({ sessions: [OWN_SESSION] })),
  http.get('/bff/profile', () => HttpResponse.json(PROFILE)),
  // A page stores its preferences by itself. The answer is of the profile that the test plays.
  http.put('/bff/profile', async ({ request }) => {
    const change = profileChangeSchema.parse(await request.json())
    const profile = profileSchema.parse(await (await fetch(request.url)).json())
    return HttpResponse.json({ ...profile, ...change })
  }),
)

/** From now on the user that is signed in has this role. */
export function signInAs(role: Role): void {
  fakeBff.use(
    http.get('/bff/session', () => HttpResponse.json({ ...SESSION, user: { ...SESSION.user, role } })),
  )
}

/** An answer as the BFF gives it when something went wrong. */
export function problem(code: Problem['code'], status: number, more: Partial<Problem> = {}) {
  const body: Problem = {
    type: 'about:blank',
    title: `Problem ${code}`,
    detail: `What to do about ${code}.`,
    status,
    code,
    ...more,
  }
  return HttpResponse.json(body, { status, headers: { 'content-type': 'application/problem+json' } })
}
