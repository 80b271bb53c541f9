import { createLog } from '#bff/http/log.ts'
import { alertRoutes } from '#bff/pages/alerts/alert-routes.ts'
import { createProfileList } from '#bff/pages/alerts/profile-list.ts'
import { unsubscribeRoutes } from '#bff/pages/alerts/unsubscribe-routes.ts'
import type { ReadThreat } from '#bff/store/details/read-threats.ts'
import { placeThreats, storeThreats } from '#bff/store/records/store-threats.ts'
import { writeSyncState } from '#bff/store/sync/sync-state.ts'
import { createThreatStore } from '#bff/store/threat-store.ts'
import { TIMEOUTS } from '#bff/upstream/client/transport.ts'
import { createUpstream } from '#bff/upstream/client/upstream-client.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { SeenCategories } from '#bff/upstream/seen-categories.ts'
import type { Role } from '#contract/bff/session.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { OpenDatabase } from '#database/open-database.ts'
import { createTestBff } from '#test/support/ask-bff.ts'
import { type StandInCall, type StandInReply, startStandInUpstream } from '#test/support/stand-in-upstream.ts'
import { createVirtualClock } from '#test/support/start-governed.ts'
import { makeSyncState } from '#test/support/store/make-sync-state.ts'
import { USUAL_HISTORY } from '#test/support/usual-settings.ts'

export const ALERTS = '/bff/alerts'
export const NOW = '2026-03-10T12:00:00.000Z'
const SOURCE = 'a source'

type Script = StandInReply | ((call: StandInCall) => StandInReply | Promise<StandInReply>)

export type AlertsOptions = {
  role?: Role
  threats?: readonly Threat[]
  totalMs?: number
  webhookHosts?: string[]
}

/** The routes of alerts behind a session, a vendor that a test plays, and a window that holds some threats. */
export async function startAlerts(
  database: OpenDatabase,
  { role = 'admin', threats = [], totalMs = TIMEOUTS.totalMs, webhookHosts = [] }: AlertsOptions = {},
) {
  const standIn = await startStandInUpstream()
  const clock = createVirtualClock(Date.parse(NOW))
  const logged: string[] = []
  const log = createLog((line) => logged.push(line))
  const keys = () => ({ apiKey: 'the-key' })
  const timeouts = { ...TIMEOUTS, totalMs }
  if (threats.length > 0) {
    await storeThreats(database, placeThreats(threats, NOW))
    await writeSyncState(database, makeSyncState(NOW, { source: SOURCE }))
  }
  const categories = new SeenCategories()
  /** One more process on the same database, or the only one. */
  const createProcess = (secrets: { secret: string; secretBefore?: string } = { secret: 'of the tests' }) => {
    const upstream = createUpstream({ url: standIn.url, keys, database, clock, log, timeouts })
    const store = createThreatStore({ limits: USUAL_HISTORY, database, clock, source: SOURCE })
    const seen = () => categories
    const shared = {
      upstream,
      store,
      searchContext: { clock },
      categories: seen,
      database,
      clock,
      log,
      source: () => SOURCE,
      webhookHosts,
      hasEmail: false,
      origin: 'https://lantern.example',
    }
    const patience = { answerMs: 1_500, readBackMs: 1_500 }
    const context = {
      ...shared,
      ...secrets,
      readThreat: readFrom(threats),
      onChanged: async () => {},
      patience,
      profiles: createProfileList(shared),
    }
    return [...alertRoutes(context), ...unsubscribeRoutes(context)]
  }

  const bff = await createTestBff(database, { routes: createProcess() })
  await database.query('update account set role = $1', [role])
  await bff.signIn()
  /** What the vendor answers to a POST, and to the lists around it. */
  const play = ({ post, list = { json: { alert_profiles: [] } } }: { post?: Script; list?: Script }) =>
    standIn.play('/api/alerts', async (call) => {
      const script = call.method === 'POST' ? (post ?? { status: 500, json: { error: 'None' } }) : list
      return typeof script === 'function' ? script(call) : script
    })
  play({})
  const countPosts = () => standIn.calls.filter(({ method }) => method === 'POST').length
  const readLog = () => [...bff.logged, ...logged].join('\n')
  return { ...bff, readLog, standIn, clock, categories, play, countPosts, createProcess }
}

function readFrom(threats: readonly Threat[]): ReadThreat {
  return async (id) => {
    const threat = threats.find((one) => one.id === id)
    if (!threat) throw new UpstreamError({ set: null, kind: 'not_found', reason: 'a test' })
    const unknown = { content: 'Found on harbour pier.', sourceUrl: null, analysis: null }
    const detail = { ...threat, ...unknown, evidence: [], otherFields: [], records: [] }
    const freshness = { fetchedAt: NOW, isStale: false, staleReason: null }
    return { answer: { threat: detail, freshness }, freshForMs: 0 }
  }
}

/** A profile as the reference shows it. */
export function vendorProfile(changes: object = {}) {
  return {
    id: 'alp_1',
    name: 'Harbour',
    keywords: ['quayside', '"lock bit"'],
    categories: ['Ransomware'],
    notifications: {
      email: ['ada@lantern.example'],
      slack: 'https://hooks.slack.com/services/T000/B000/canary0slack0secret0ab12',
      teams: null,
    },
    created_at: NOW,
    updated_at: NOW,
    triggered_count: 3,
    ...changes,
  }
}

export const DRAFT = {
  name: 'Harbour',
  keywords: ['quayside', '"lock bit"'],
  categories: ['Ransomware'],
  email: ['ada@lantern.example'],
  slack: 'https://hooks.slack.com/services/T000/B000/canary0slack0secret0ab12',
  teams: null,
}

let made = 0

/** A threat of the window; what a test does not name is plain. */
export function storedThreat(changes: Partial<Threat> = {}): Threat {
  made += 1
  return {
    id: `thr_${made}`,
    set: 'v1',
    title: 'Northwind Foods',
    excerpt: null,
    category: 'Ransomware',
    severity: 'high',
    actors: [],
    countries: [],
    industries: [],
    organizations: [],
    domains: [],
    publishedAt: '2026-03-09T08:00:00.000Z',
    redacted: [],
    ...changes,
  }
}
