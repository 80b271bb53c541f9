import * as z from 'zod/mini'
import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { UNSUBSCRIPTIONS } from '#bff/http/account-limits.ts'
import { notifyLive } from '#bff/http/live/live-channel.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import { type BffRoute, defineRoute } from '#bff/http/route.ts'
import { readUnsubscribeToken, unsubscribe } from '#bff/notify/unsubscribe.ts'
import type { Database } from '#database/database.ts'

type UnsubscribeDependencies = { database: Database; secret: string; secretBefore?: string | undefined }

/** The page of a mail's link posts here. The route is public: the token is the proof, and allows nothing else. */
export function unsubscribeRoutes({ database, secret, secretBefore }: UnsubscribeDependencies): BffRoute[] {
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
        await database.transaction(async (tx) => {
          const unsubscribed = await unsubscribe(tx, deliveryId, secret)
          if (!unsubscribed) throw noSuchLink()
          for (const { profileId, name, recipient } of unsubscribed)
            await recordAudit(tx, {
              ...auditFacts('POST /bff/unsubscriptions', { session: null, request }),
              action: 'alert-unsubscribed',
              object: profileId,
              objectName: name,
              before: { recipients: [recipient] },
            })
          if (unsubscribed.length > 0) await notifyLive(tx, { kind: 'profiles' })
        })
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
