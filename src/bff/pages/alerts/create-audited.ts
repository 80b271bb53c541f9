import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { Log } from '#bff/http/log.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession, RouteRequest } from '#bff/http/route.ts'
import { toReadRequest } from '#bff/vendor/cache/read-request.ts'
import type { AlertDraft } from '#contract/bff/alert.ts'
import type { AuditAction } from '#contract/bff/audit.ts'
import { maskDestinations } from '#contract/bff/mask-address.ts'
import type { Database } from '#database/database.ts'
import type { CreateAlert, Created } from './create-alert.ts'
import { requirePermittedWebhooks } from './permitted-webhooks.ts'
import { requireUsableKeywords } from './usable-keywords.ts'

type Author = { request: RouteRequest; session: ReaderSession }
export type CreateAudited = (draft: AlertDraft, author: Author) => Promise<Created>

const ROUTE = 'POST /bff/alerts'
const AUDITED_PROBLEMS: Readonly<Partial<Record<string, AuditAction>>> = {
  alert_refused: 'alert-refused',
  alert_unclear: 'alert-unclear',
}

/** Creates a profile for a person, and writes an audit event of it and its outcome; destinations are masked. */
export function createCreateAudited({
  createAlert,
  database,
  log,
  webhookHosts,
}: {
  createAlert: CreateAlert
  database: Database
  log: Log
  /** Of NOTIFY_HOSTS. */
  webhookHosts: readonly string[]
}): CreateAudited {
  return async (draft, { request, session }) => {
    requireUsableKeywords(draft.keywords)
    requirePermittedWebhooks(draft, webhookHosts)

    /** What the vendor has done is answered also where it cannot be recorded. */
    async function record(action: AuditAction, id: string | null, outcome: object): Promise<void> {
      const { name, keywords, categories } = draft
      const after = { keywords, categories, ...maskDestinations(draft), ...outcome }
      const { address, id: requestId } = request
      const facts = { actor: session.user.id, route: ROUTE, objectName: name, after, address, requestId }
      await recordAudit(database, { ...facts, action, object: id }).catch((error: unknown) =>
        log.error('alert-not-audited', error),
      )
    }

    try {
      const created = await createAlert(draft, toReadRequest(request, session).caller)
      await record('alert-created', created.profile.id, { outcome: created.outcome })
      return created
    } catch (error) {
      const action = error instanceof ProblemError && AUDITED_PROBLEMS[error.problem.code]
      if (action) await record(action, null, {})
      throw error
    }
  }
}
