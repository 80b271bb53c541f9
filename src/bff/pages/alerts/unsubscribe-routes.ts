import * as z from 'zod/mini'
import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { UNSUBSCRIPTIONS } from '#bff/http/account-limits.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
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
import { leaveSourceProfiles, type SourceDependencies } from './unsubscribe-source.ts'

type UnsubscribeDependencies = SourceDependencies & { database: Database; secretBefore?: string | undefined }

/** The page of a mail's link posts here. The route is public: the token is the proof, and allows nothing else. */
export function unsubscribeRoutes({
  database,
  secretBefore,
  ...dependencies
}: UnsubscribeDependencies): BffRoute[] {
  const { secret } = dependencies
  const secrets = [secret, ...(secretBefore === undefined ? [] : [secretBefore])]
  return [
    defineRoute({
      method: 'POST',
      path: '/bff/unsubscriptions',
      access: 'public',
      body: z.strictObject({ token: z.string().check(z.maxLength(64)) }),
      limit: UNSUBSCRIPTIONS,
      cache: 'none',
      async answer({ body, request }) {
        const deliveryId = readUnsubscribeToken(body.token, secrets)
        if (deliveryId === null) throw noSuchLink()
        const leave = async (tx: Database) => {
          const by = await findUnsubscriber(tx, deliveryId, secret)
          if (!by) throw noSuchLink()
          const record = async (profile: Unsubscribed) => {
            await recordAudit(tx, {
              ...auditFacts({ session: null, request }),
              action: 'alert-unsubscribed',
              object: profile.profileId,
              objectName: profile.name,
              before: { recipients: [profile.recipient] },
            })
            await ringUnsubscribed(tx, by, profile)
            await notifyLive(tx, { kind: 'profiles' })
          }
          for (const profile of await leaveProfiles(tx, deliveryId, by, secret)) await record(profile)
          await leaveSourceProfiles(tx, deliveryId, by, dependencies, record)
        }
        await orProblem(() => database.transaction(leave))
        return { status: 204 }
      },
    }),
  ]
}

function noSuchLink(): ProblemError {
  return new ProblemError({
    code: 'not_found',
    title: 'This link does not work any more',
    detail:
      'Use the link of a newer message. Users can also press “Stop notifying me” in Alerts. Others ask whoever looks after alerts.',
  })
}
