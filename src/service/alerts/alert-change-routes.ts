import { Hono } from 'hono'
import * as z from 'zod/mini'
import {
  type AlertSummaries,
  testAlertSchema,
  testProfileSchema,
} from '#contract/upstream/earlier/alert-delivery.ts'
import type { AlertProfile, AlertProfileStates } from '#contract/upstream/earlier/alert-profile.ts'
import { changeAlertSchema } from '#contract/upstream/earlier/change-alert.ts'
import { createAlertSchema } from '#contract/upstream/earlier/create-alert.ts'
import type { Database } from '#database/database.ts'
import type { Destination } from '#delivery/destinations.ts'
import { sendTest } from '#delivery/enqueue.ts'
import { summarizeCause } from '#delivery/ledger.ts'
import { type LedgerAccess, readDatabaseTime } from '#delivery/ledger-access.ts'
import { requireCategories } from '#service/categories/permitted-categories.ts'
import { ServiceError } from '#service/errors/service-error.ts'
import { requireAccount } from '#service/keys/authenticate.ts'
import { describeIssues } from '#service/request/describe-issues.ts'
import { parseJsonBody } from '#service/request/parse-json-body.ts'
import { refuseParameters } from '#service/request/parse-query.ts'
import type { ServiceDependencies, ServiceEnvironment } from '#service/service-environment.ts'
import { createLedgerAccess, listDestinations } from './alert-destinations.ts'
import {
  changeAlertProfile,
  deleteAlertProfile,
  listAlertProfiles,
  readAlertProfile,
} from './alert-queries.ts'
import { requireUsableKeywords } from './alert-routes.ts'

/** More, and a key would be a way to flood anybody. */
const TESTS_A_MINUTE = 10

const countSchema = z.tuple([z.object({ sent: z.int() })])
const { notifications: notificationsSchema } = createAlertSchema.shape

/** What our own service lets clients do with profiles beyond the reference. Nothing of it is counted. */
export function alertChangeRoutes(dependencies: ServiceDependencies) {
  const { database, secret, dashboardUrl, hasEmail = false } = dependencies
  const access = createLedgerAccess(secret)
  const mayChange = requireAccount(dependencies)
  const link = `${dashboardUrl ?? dependencies.publicUrl}/alerts`
  const test = (tested: Omit<Tested, 'link'>) => sendTests(database, { ...tested, link }, access)
  return new Hono<ServiceEnvironment>()
    .get('/api/alert-profiles', mayChange, async (c) => {
      refuseParameters(c.req.url)
      const listed = await listAlertProfiles(database, c.get('access').accountId, secret)
      const alert_profiles = listed.map(({ profile, state }) => ({ ...profile, state }))
      return c.json({ alert_profiles } satisfies AlertProfileStates)
    })
    .get('/api/alert-summaries', mayChange, async (c) => {
      refuseParameters(c.req.url)
      const listed = await listAlertProfiles(database, c.get('access').accountId, secret)
      const deliveries = await Promise.all(
        listed.map(async ({ profile: { id }, state }) => {
          const summary = await summarizeCause(database, { kind: 'profile', id }, readDatabaseTime)
          return [id, { state, ...summary }] as const
        }),
      )
      return c.json({ hasEmail, deliveries: Object.fromEntries(deliveries) } satisfies AlertSummaries)
    })
    .post('/api/alerts/test', mayChange, async (c) => {
      refuseParameters(c.req.url)
      const { channel, destination, requested_by } = await parseJsonBody(c.req, testAlertSchema)
      const { accountId } = c.get('access')
      const given = { [channel]: channel === 'email' ? [destination] : destination }
      const { data, error } = notificationsSchema.safeParse(given)
      if (error) {
        const issues = error.issues.map((issue) => ({ ...issue, path: ['destination'] }))
        throw new ServiceError(
          400,
          describeIssues(issues, { destination }, { kind: 'field', permitted: ['channel', 'destination'] }),
        )
      }
      const to = listDestinations(data, accountId)
      const deliveries = await test({ to, causes: [], requestedBy: requested_by, accountId })
      return c.json({ deliveries }, 202)
    })
    .post('/api/alerts/:id/test', mayChange, async (c) => {
      refuseParameters(c.req.url)
      const { requested_by, destination } = await parseJsonBody(c.req, testProfileSchema)
      const { accountId } = c.get('access')
      const found = await readAlertProfile(database, { accountId, id: c.req.param('id'), secret })
      if (!found) throw noProfile()
      const { id, name, notifications } = found.profile
      const deliveries = await test({
        to: listDestinations(destination ? pickOne(notifications, destination) : notifications, accountId),
        causes: [{ kind: 'profile', id, name }],
        requestedBy: requested_by,
        accountId,
      })
      return c.json({ deliveries }, 202)
    })
    .put('/api/alerts/:id', mayChange, async (c) => {
      refuseParameters(c.req.url)
      const change = await parseJsonBody(c.req, changeAlertSchema)
      if (change.keywords) requireUsableKeywords(change.keywords)
      const { categories } = change
      if (categories) await requireCategories(database, c.get('access'), { name: 'categories', categories })
      const owned = { accountId: c.get('access').accountId, id: c.req.param('id') }
      const changed = await changeAlertProfile(database, owned, change, access)
      if (!changed) throw noProfile()
      return c.json(changed.profile satisfies AlertProfile)
    })
    .delete('/api/alerts/:id', mayChange, async (c) => {
      refuseParameters(c.req.url)
      const owned = { accountId: c.get('access').accountId, id: c.req.param('id'), secret }
      const deleted = await deleteAlertProfile(database, owned)
      if (!deleted) throw noProfile()
      return c.json({ id: deleted.id })
    })
}

/** Only one of a profile's destinations: `email.1`, `slack`, `teams`. */
function pickOne(
  { email, slack, teams }: AlertProfile['notifications'],
  named: string,
): AlertProfile['notifications'] {
  const [channel, at] = named.split('.')
  const one = {
    email: channel === 'email' ? (email ?? []).slice(Number(at), Number(at) + 1) : null,
    slack: channel === 'slack' ? slack : null,
    teams: channel === 'teams' ? teams : null,
  }
  if (listDestinations(one, '').length === 0)
    throw new ServiceError(404, 'The profile has no such destination')
  return one
}

type Tested = {
  to: readonly Destination[]
  causes: readonly { kind: 'profile'; id: string; name: string }[]
  requestedBy: string
  accountId: string
  link: string
}

async function sendTests(
  db: Database,
  { to, accountId, ...test }: Tested,
  access: LedgerAccess,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    await tx.query('select from account where id = $1 for no key update', [accountId])
    const { rows } = await tx.query(
      `select count(*) as sent from delivery join delivery_destination d on d.id = destination_id
        where account = $1 and kind = 'test' and created_at > $2::timestamptz - interval '1 minute'`,
      [accountId, await access.readNow(tx)],
    )
    const [{ sent }] = countSchema.parse(rows)
    if (sent + to.length > TESTS_A_MINUTE && sent > 0)
      throw new ServiceError(
        429,
        `${TESTS_A_MINUTE} messages a minute can be tried. Try again in a minute.`,
        {
          headers: { 'retry-after': '60' },
        },
      )
    const ids: string[] = []
    for (const destination of to) ids.push(await sendTest(tx, { to: destination, ...test }, access))
    return ids
  })
}

function noProfile(): ServiceError {
  return new ServiceError(404, 'No such alert profile')
}
