import * as z from 'zod/mini'
import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { listNamedDestinations, readSourceProfiles } from '#bff/alerts/source-profiles.ts'
import { listSourceCauses, lockSourceProfiles, storeRecipients } from '#bff/alerts/source-queries.ts'
import { UNSUBSCRIPTIONS } from '#bff/http/account-limits.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { conflict, notFound, ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import {
  findUnsubscriber,
  leaveProfiles,
  readUnsubscribeToken,
  ringUnsubscribed,
  type Unsubscribed,
  type Unsubscriber,
} from '#bff/notify/unsubscribe.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import { UpstreamError } from '#bff/upstream/client/upstream-error.ts'
import { readAlertProfile } from '#bff/upstream/reader/read-alert-profiles.ts'
import type { Database } from '#database/database.ts'
import type { AlertContext } from './alert-context.ts'
import { changeSource, sendChange, storeChange } from './change-source.ts'
import { takeSourceTurn } from './source-turn.ts'

/** The page of a mail's link posts here. The route is public: the token is the proof, and allows nothing else. */
export function unsubscribeRoutes(context: AlertContext): BffRoute[] {
  const { database, secret, secretBefore } = context
  const secrets = [secret, ...(secretBefore === undefined ? [] : [secretBefore])]
  return [
    defineRoute('POST /bff/unsubscriptions', {
      access: 'public',
      body: z.strictObject({ token: z.string().check(z.maxLength(64)) }),
      limit: UNSUBSCRIPTIONS,
      async answer({ body, request }) {
        const deliveryId = readUnsubscribeToken(body.token, secrets)
        if (deliveryId === null) throw noSuchLink()
        const by = await findUnsubscriber(database, deliveryId, secret)
        if (!by) throw noSuchLink()
        const describe = ({ profileId, name, recipient }: Unsubscribed) => ({
          ...auditFacts({ session: null, request }),
          action: 'alert-unsubscribed' as const,
          object: profileId,
          objectName: name,
          before: { recipients: [recipient] },
        })
        const notify = async (tx: Database, profile: Unsubscribed) => {
          await ringUnsubscribed(tx, by, profile)
          await notifyLive(tx, { kind: 'profiles' })
        }
        // Those in Lantern first: they are left though the service does not answer.
        await database.transaction(async (tx) => {
          for (const profile of await leaveProfiles(tx, deliveryId, by, secret)) {
            await recordAudit(tx, describe(profile))
            await notify(tx, profile)
          }
        })
        await orProblem(() => leaveSourceProfiles(deliveryId, context, { by, describe, notify }))
        return { status: 204 }
      },
    }),
  ]
}

function noSuchLink(): ProblemError {
  return notFound(
    'Use the link of a newer message. Users can also press “Stop notifying me” in Alerts. Others ask whoever looks after alerts.',
    'This link does not work any more',
  )
}

type Leaving = {
  by: Unsubscriber
  /** Describes the record of a profile that is left. */
  describe(profile: Unsubscribed): Parameters<typeof recordAudit>[1]
  /** Notifies the owner. */
  notify(tx: Database, profile: Unsubscribed): Promise<void>
}
type Listed = Awaited<ReturnType<typeof readSourceProfiles>>[number]

/** No further change begins later than this after a turn has begun. */
const BEGIN_MAX_MS = 11_000

/**
 * Takes the address of a message off the profiles of our own service that the message was of. One that fails leaves the
 * others as they are: the first failure is thrown at the end.
 */
async function leaveSourceProfiles(
  deliveryId: string,
  context: AlertContext,
  leaving: Leaving,
): Promise<void> {
  const { database, upstream, source } = context
  const causes = await listSourceCauses(database, deliveryId)
  if (causes.length === 0) return
  if (!(await upstream.offers('readAlertProfiles'))) throw outOfReach()
  await takeSourceTurn(context, async () => {
    const startedMs = performance.now()
    const listed = await readSourceProfiles(upstream)
    const failures: unknown[] = []
    for (const { id, source: known } of causes) {
      const profile = listed.find((one) => one.id === id)
      try {
        if (performance.now() - startedMs > BEGIN_MAX_MS) throw tooLate()
        if (profile) await leaveSourceProfile(profile, context, leaving)
        // A profile that the same account does not list any more was deleted there.
        else if (known !== source()) throw outOfReach()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw toLeaveProblem(failures[0])
  })
}

async function leaveSourceProfile(
  { id, name, notifications }: Listed,
  context: AlertContext,
  { by, describe, notify }: Leaving,
): Promise<void> {
  const { database, upstream, secret } = context
  const before = notifications.email ?? []
  const email = before.filter((one) => one.toLowerCase() !== by.address.toLowerCase())
  if (email.length === before.length) return
  const left = { profileId: id, name, accountId: null, recipient: `email ${by.masked}` }
  const event = describe(left)
  await changeSource(context, {
    event,
    request: (requested) => recordAudit(database, { ...event, ...requested }),
    send: () => sendChange(upstream, 'changeAlert', { id, body: { notifications: { email } } }),
    async store(tx, changed) {
      await notify(tx, left)
      await lockSourceProfiles(tx)
      const destinations = listNamedDestinations({ ...notifications, email }).map(({ name: _, ...to }) => to)
      await storeRecipients(tx, id, destinations, { secret })
      const profile = readAlertProfile(changed)
      if (profile) await storeChange(tx, context, { id, profile })
    },
  })
}

function tooLate(): UpstreamError {
  return new UpstreamError({ set: 'earlier', kind: 'timeout', reason: 'the changes before took too long' })
}

const NOT_STOPPED = 'These messages were not stopped'

function toLeaveProblem(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error
  if (error.kind === 'unclear')
    return new ProblemError({
      code: 'alert_unclear',
      title: 'It is unclear whether these messages were stopped',
      detail: 'The vendor broke off before it answered. Use the link again.',
      cause: error,
    })
  if (error.kind === 'rejected')
    return new ProblemError({
      code: 'alert_refused',
      title: NOT_STOPPED,
      detail: 'The vendor refused to change the alert profile. Ask whoever looks after alerts.',
      cause: error,
    })
  return error
}

function outOfReach(): ProblemError {
  return conflict(
    'Lantern cannot change the alert profile: it uses another vendor or another account now. If you still receive messages, ask whoever looks after alerts.',
    NOT_STOPPED,
  )
}
