import { expect, test } from 'vitest'
import { ENDPOINTS } from '#contract/bff/endpoints.ts'
import { ENTRY, MARK, MUTE, startOwned } from './support/start-owned.ts'

/** Whose object a route reads or changes: the team's, one of the person who asks, those of admins, or somebody else's. */
type Access = {
  /** Values for the path's parameters. */
  params?: Readonly<Record<string, string>>
  body?: object
  query?: string
  /** Why a request that is allowed is not answered with what it asks for. */
  isNotThere?: string
} & (
  | { whose: 'team' }
  | { whose: 'self' }
  | { whose: 'admins' }
  /** `ownersAnswer` where it is another than success. */
  | { whose: 'owner'; mayAdmin?: boolean; ownersAnswer?: number }
)

const TEAM = { whose: 'team' } as const
const SELF = { whose: 'self' } as const
const ADMINS = { whose: 'admins' } as const
/** The vendor of this test has the second route set alone. */
const NOT_OFFERED = { ...TEAM, isNotThere: 'not offered' } as const
const ZONE = { query: '?timeZone=UTC' } as const
const THREAT = { ...TEAM, params: { id: 'one', index: '0' } }

type Owned = Awaited<ReturnType<typeof startOwned>>['owned']

/** The object of each route. A new route has to be added here. */
function nameObjects(owned: Owned): Readonly<Record<string, Access>> {
  const {
    viewId,
    listId,
    entryId,
    profileId,
    muteId,
    recipientId,
    deliveryId,
    testId,
    sessionId,
    passkeyId,
    accountId,
  } = owned
  const view = { whose: 'owner', params: { id: viewId } } as const
  const list = { whose: 'owner', params: { id: listId, entryId } } as const
  const profile = { whose: 'owner', params: { id: profileId }, mayAdmin: true } as const
  const delivery = { whose: 'owner', params: { id: deliveryId }, mayAdmin: true } as const
  const passkey = { whose: 'owner', params: { id: passkeyId } } as const
  const user = { ...ADMINS, params: { id: accountId } }
  return {
    'GET /bff/threats/:id': THREAT,
    'GET /bff/threats/:id/stored': THREAT,
    'GET /bff/threats/:id/related': THREAT,
    'GET /bff/threats/:id/profiles': { ...THREAT, isNotThere: 'not offered' },
    'GET /bff/threats/:id/evidence/:index': { ...THREAT, isNotThere: 'no picture' },
    'GET /bff/threats/:id/deliveries': THREAT,
    'GET /bff/threats/:id/case': THREAT,
    'POST /bff/cases': TEAM,
    'POST /bff/cases/preview': { ...TEAM, body: { threatIds: ['one', 'two'] } },
    'POST /bff/cases/undo': TEAM,
    'GET /bff/due-times': TEAM,
    'PUT /bff/due-times': { ...ADMINS, body: { critical: 1, high: 1, medium: 1, low: null } },
    'GET /bff/triage/:id/history': THREAT,
    'GET /bff/facets/:name': { ...TEAM, ...ZONE, params: { name: 'actor' } },
    'GET /bff/groups/:name': { ...TEAM, ...ZONE, params: { name: 'actor' } },
    'GET /bff/actors/:name': { ...TEAM, ...ZONE, params: { name: 'Ashfall' } },
    'GET /bff/countries/:code': { ...TEAM, ...ZONE, params: { code: 'DE' } },
    'GET /bff/alerts/:id/matches': { ...NOT_OFFERED, params: { id: 'profile' } },
    'POST /bff/alerts': TEAM,
    'POST /bff/alerts/:id/test': { ...TEAM, params: { id: 'profile' } },
    'POST /bff/alerts/:id/destinations/:destination/test': {
      ...TEAM,
      params: { id: 'profile', destination: 'slack' },
    },
    'PUT /bff/alerts/:id': { ...TEAM, params: { id: 'profile' } },
    'DELETE /bff/alerts/:id': { ...TEAM, params: { id: 'profile' } },
    'POST /bff/sign-in/second-step': SELF,
    'POST /bff/proof': SELF,
    'POST /bff/factors/passkeys': SELF,
    'GET /bff/triage/owners': TEAM,
    'POST /bff/triage': TEAM,
    'POST /bff/triage/states': { ...TEAM, body: { ids: ['one'] } },
    'POST /bff/triage/undo': TEAM,
    'PUT /bff/views/default': { whose: 'owner', body: { id: viewId } },
    'POST /bff/views': TEAM,
    'PUT /bff/views/:id': { ...view, body: { name: 'Taken', isShared: true } },
    'DELETE /bff/views/:id': view,
    'POST /bff/views/:id/feed': view,
    'DELETE /bff/views/:id/feed': { ...view, mayAdmin: true },
    'GET /bff/lists': SELF,
    'POST /bff/lists': SELF,
    'GET /bff/lists/:id': list,
    'PUT /bff/lists/:id': { ...list, body: { name: 'Taken', isShared: true } },
    'DELETE /bff/lists/:id': list,
    'GET /bff/lists/:id/entries': list,
    'POST /bff/lists/:id/entries': { ...list, body: { entries: [ENTRY] } },
    'PUT /bff/lists/:id/entries/:entryId': { ...list, body: ENTRY },
    'DELETE /bff/lists/:id/entries/:entryId': list,
    'GET /bff/lists/:id/matches': list,
    'PUT /bff/lists/:id/decisions': {
      ...list,
      body: { threatId: 'one', entryId, decision: 'confirmed' },
      // No threat matches the entry.
      ownersAnswer: 404,
    },
    'POST /bff/alert-profiles': SELF,
    'POST /bff/alert-profiles/backtest': SELF,
    'PUT /bff/alert-profiles/:id': { ...profile, body: { state: 'paused' } },
    'DELETE /bff/alert-profiles/:id': profile,
    'DELETE /bff/alert-profiles/:id/recipients/me': { ...SELF, params: { id: profileId } },
    'POST /bff/alert-profiles/:id/recipients/:recipient/test': {
      ...profile,
      params: { id: profileId, recipient: recipientId },
    },
    'POST /bff/alert-profiles/:id/prove': profile,
    'POST /bff/alert-profiles/:id/recipients/:recipient/secret': {
      ...profile,
      params: { id: profileId, recipient: recipientId },
    },
    'GET /bff/alert-profiles/:id/mutes': profile,
    'POST /bff/alert-profiles/:id/mutes': { ...profile, body: MUTE },
    'DELETE /bff/alert-profiles/:id/mutes/:mute': { ...profile, params: { id: profileId, mute: muteId } },
    'GET /bff/deliveries': { ...TEAM, query: `?causeId=${profileId}` },
    'GET /bff/exports/deliveries': {
      ...TEAM,
      query: `?causeId=${profileId}&format=ndjson`,
    },
    'GET /bff/deliveries/:id': delivery,
    'POST /bff/deliveries/:id/resend': {
      ...delivery,
      params: { id: testId },
      ownersAnswer: 409,
    },
    // Whoever has the address may read the feed: nobody else knows it.
    'GET /bff/feeds/:fileName': {
      whose: 'owner',
      params: { fileName: `${viewId}.atom` },
      isNotThere: 'found by its secret alone',
    },
    'PUT /bff/keys/:set': { ...ADMINS, params: { set: 'v1' } },
    'DELETE /bff/keys/:set': { ...ADMINS, params: { set: 'v1' } },
    'DELETE /bff/service-keys/:id': { ...ADMINS, params: { id: '1' } },
    'GET /bff/audit': { ...ADMINS, query: '?timeZone=UTC&who=olga@example.com' },
    'GET /bff/audit/export': { ...ADMINS, query: '?timeZone=UTC&who=olga@example.com&format=json' },
    'PUT /bff/users/:id': { ...user, body: { role: 'viewer' } },
    'POST /bff/users/:id/link': user,
    'POST /bff/users/:id/reset-factors': user,
    'POST /bff/users/:id/sign-out': user,
    'PUT /bff/factors/passkeys/:id': { ...passkey, body: { name: 'Taken' } },
    // It asks for the passkey itself.
    'DELETE /bff/factors/passkeys/:id': { ...passkey, ownersAnswer: 403 },
    // It is the one in use.
    'DELETE /bff/sessions/:id': { whose: 'owner', params: { id: sessionId }, ownersAnswer: 409 },

    'GET /bff/sign-in/options': SELF,
    'POST /bff/sign-in': SELF,
    'POST /bff/sign-in/link': SELF,
    'POST /bff/sign-in/password-link': SELF,
    'POST /bff/unsubscriptions': SELF,
    'POST /bff/sign-in/second-step/passkey': SELF,
    'POST /bff/sign-in/sso': SELF,
    'POST /bff/sign-in/sso/finish': SELF,
    'POST /bff/sign-out': SELF,
    'GET /bff/session': SELF,
    'GET /bff/overview': { ...TEAM, ...ZONE },
    'GET /bff/threats': { ...TEAM, ...ZONE },
    'GET /bff/new-threats': { ...TEAM, query: `${ZONE.query}&after=0` },
    'GET /bff/conditions': { ...TEAM, ...ZONE },
    'GET /bff/full-text-searches': { ...TEAM, query: '?q=vault' },
    'POST /bff/full-text-searches': {
      ...TEAM,
      body: { q: 'vault', offset: 0 },
      isNotThere: 'nothing stored',
    },
    'GET /bff/trends': { ...TEAM, ...ZONE },
    'GET /bff/actors': { ...TEAM, ...ZONE },
    'GET /bff/countries': { ...TEAM, ...ZONE },
    'GET /bff/metrics': NOT_OFFERED,
    'GET /bff/shift': { ...TEAM, query: '?since=2026-01-01T00:00:00Z' },
    'POST /bff/shift-visits': { ...SELF, body: { timeZone: 'UTC' } },
    'GET /bff/team-figures': { ...TEAM, ...ZONE },
    'GET /bff/alerts': { ...NOT_OFFERED, ...ZONE },
    'GET /bff/alerts/health': SELF,
    'POST /bff/alerts/test': NOT_OFFERED,
    'GET /bff/views': SELF,
    'GET /bff/feed-addresses': ADMINS,
    'GET /bff/alert-profiles': SELF,
    'GET /bff/alert-profiles/users': TEAM,
    'GET /bff/inbox': SELF,
    'POST /bff/inbox/read': { ...SELF, body: { upTo: '2026-01-01T00:00:00Z' } },
    'GET /bff/exports/threats': { ...TEAM, ...ZONE },
    'GET /bff/live': TEAM,
    'GET /bff/source': TEAM,
    'GET /bff/history-loads': TEAM,
    'DELETE /bff/history-loads/:id': { ...TEAM, params: { id: '1' } },
    'POST /bff/history-loads': {
      ...TEAM,
      body: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
    },
    'GET /bff/calls': ADMINS,
    'GET /bff/keys': ADMINS,
    'GET /bff/service-keys': ADMINS,
    'POST /bff/service-keys': ADMINS,
    'GET /bff/profile': SELF,
    'PUT /bff/profile': SELF,
    'PUT /bff/profile/password': SELF,
    'POST /bff/profile/sso': SELF,
    'DELETE /bff/profile/sso': SELF,
    'POST /bff/proof/passkey': SELF,
    'GET /bff/factors': SELF,
    'POST /bff/factors/totp': SELF,
    'PUT /bff/factors/totp': SELF,
    'DELETE /bff/factors/totp': SELF,
    'POST /bff/factors/passkeys/options': SELF,
    'POST /bff/factors/recovery-codes': SELF,
    'GET /bff/sessions': SELF,
    'POST /bff/sessions/end-others': SELF,
    'GET /bff/users': ADMINS,
    'POST /bff/users': ADMINS,
  }
}

/** Ends the session that asks, or streams for good: of no object. */
const LEFT_OUT = new Set(['POST /bff/sign-out', 'POST /bff/sessions/end-others', 'GET /bff/live'])

test('no user sees or changes another user’s objects, by any route and in any role', {
  timeout: 120_000,
}, async () => {
  const { owned, table, browsers, snapshot } = await startOwned()
  const objects = nameObjects(owned)
  const before = await snapshot()
  const faults: string[] = []
  for (const route of table) {
    const endpoint = `${route.method} ${route.path}`
    const access = objects[endpoint]
    if (LEFT_OUT.has(endpoint)) continue
    const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(access?.params?.[name] ?? '?'),
    )
    for (const [role, ask] of browsers) {
      const isAdmin = role === 'admin'
      const isAllowed = isAdmin && (access?.whose !== 'owner' || access.mayAdmin)
      // What an admin may change is not changed here.
      if (isAllowed && route.method !== 'GET') continue
      const body = route.method === 'GET' ? {} : { body: access?.body ?? {} }
      const answer = await ask(`${path}${access?.query ?? ''}`, { method: route.method, ...body })
      const text = await answer.text()
      const isOthers = access?.whose === 'owner' || (access?.whose === 'admins' && !isAdmin)
      const said = `${role}: ${endpoint} ${answer.status}`
      if (isOthers && !isAllowed && ![401, 403, 404].includes(answer.status))
        faults.push(`${said} is not refused`)
      if (!isAdmin && owned.secrets.some((secret) => text.includes(secret)))
        faults.push(`${said} shows ${text}`)
      // A refusal proves nothing where the request itself is wrong.
      if (isAdmin && route.method === 'GET' && !isOthers && !access?.isNotThere && answer.status !== 200)
        faults.push(`${said} is not what it asks for: ${text}`)
      if (answer.status >= 500 && answer.status !== 502 && answer.status !== 503)
        faults.push(`${said}: ${text}`)
    }
  }
  expect(faults).toEqual([])
  expect(await snapshot()).toEqual(before)
})

test('the owner may do by each route what the others are refused', { timeout: 120_000 }, async () => {
  const { owned, table, owner } = await startOwned()
  const objects = nameObjects(owned)
  // What ends an object comes after what needs it: its recipient, itself, its view.
  const isLast = (endpoint: string) =>
    [
      'DELETE /bff/alert-profiles/:id',
      'DELETE /bff/views/:id',
      'DELETE /bff/lists/:id/entries/:entryId',
      'DELETE /bff/lists/:id',
      'DELETE /bff/sessions/:id',
    ].indexOf(endpoint)
  const endpoints = table
    .map(({ method, path }) => ({ method, path, endpoint: `${method} ${path}` }))
    .toSorted((a, b) => isLast(a.endpoint) - isLast(b.endpoint))
  const faults: string[] = []
  for (const { method, path, endpoint } of endpoints) {
    const access = objects[endpoint]
    if (access?.whose !== 'owner' || access.isNotThere) continue
    const target = path.replace(/:(\w+)/g, (_, name: string) => access.params?.[name] ?? '?')
    const answer = await owner(target, { method, ...(method !== 'GET' && { body: access.body ?? {} }) })
    if (access.ownersAnswer ? answer.status !== access.ownersAnswer : !answer.ok)
      faults.push(`${endpoint} ${answer.status} ${await answer.text()}`)
  }
  expect(faults).toEqual([])
})

test('an admin and the owner see what the others do not', async () => {
  const { owned, owner, browsers } = await startOwned()
  for (const ask of [owner, new Map(browsers).get('admin') ?? owner]) {
    const listed = await (await ask('/bff/deliveries')).text()
    for (const id of [owned.deliveryId, owned.testId]) expect(listed).toContain(id)
    expect(await (await ask(`/bff/deliveries/${owned.deliveryId}`)).text()).toContain(MARK)
  }
})

test('every route names its object', () => {
  const ids = {
    viewId: '',
    listId: '',
    entryId: '',
    profileId: '',
    muteId: '',
    recipientId: '',
    deliveryId: '',
    testId: '',
    sessionId: '',
    passkeyId: '',
  }
  const named = Object.keys(nameObjects({ ...ids, accountId: '', hook: '', secrets: [] }))
  expect(named.toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted())
})
