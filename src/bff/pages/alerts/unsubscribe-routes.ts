import * as z from 'zod/mini'
import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { UNSUBSCRIPTIONS } from '#bff/http/account-limits.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { notFound, type ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import {
  findUnsubscriber,
  leaveProfiles,
  readUnsubscribeToken,
  ringUnsubscribed,
  type Unsubscribed,
} from '#bff/notify/unsubscribe.ts'
import { orProblem } from '#bff/upstream/client/to-problem.ts'
import type { Database } from '#database/database.ts'
import type { AlertContext } from './alert-context.ts'
import { leaveSourceProfiles } from './unsubscribe-source.ts'

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
