import { recordAudit } from '#bff/accounts/audit/record-audit.ts'
import type { Log } from '#bff/http/log.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession, RouteRequest } from '#bff/http/route.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
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

/** Creates a profile for a person, and records the request before and the outcome after it; destinations are masked. */
export function createCreateAudited({
  createAlert,
  database,
  log,
  webhookHosts,
}: {
  createAlert: CreateAlert
  database: Database
  log: Log
  /** The value of NOTIFY_HOSTS. */
  webhookHosts: readonly string[]
}): CreateAudited {
  return async (draft, { request, session }) => {
    requireUsableKeywords(draft.keywords)
    requirePermittedWebhooks(draft, webhookHosts)

    const write = (action: AuditAction, id: string | null, outcome: object) => {
      const { name, keywords, categories } = draft
      const after = { keywords, categories, ...maskDestinations(draft), ...outcome }
      const { address, id: requestId } = request
      const facts = { actor: session.user.id, route: ROUTE, objectName: name, after, address, requestId }
      return recordAudit(database, { ...facts, action, object: id })
    }
    /** A completed creation is answered even if it cannot be recorded: the request is recorded before. */
    const record: typeof write = (...event) =>
      write(...event).catch((error: unknown) => log.error('alert-not-audited', error))

    // Before anything is sent: a vendor lets nobody take a profile back.
    await write('alert-requested', null, {})
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
