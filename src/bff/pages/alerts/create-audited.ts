import { auditFacts, recordAudit } from '#bff/accounts/audit/record-audit.ts'
import { ProblemError } from '#bff/http/problem-error.ts'
import type { ReaderSession, RouteRequest } from '#bff/http/route.ts'
import { toReadRequest } from '#bff/upstream/cache/read-request.ts'
import type { AlertDraft } from '#contract/bff/alert.ts'
import type { AuditAction } from '#contract/bff/audit.ts'
import { maskDestinations } from '#contract/bff/mask-address.ts'
import type { AlertContext } from './alert-context.ts'
import { type Created, createAlert } from './create-alert.ts'
import { requireUsable } from './usable-draft.ts'

const AUDITED_PROBLEMS: Readonly<Partial<Record<string, AuditAction>>> = {
  alert_refused: 'alert-refused',
  alert_unclear: 'alert-unclear',
}

/** Creates a profile for a person, and records the request before and the outcome after it; destinations are masked. */
export async function createAudited(
  context: AlertContext,
  draft: AlertDraft,
  author: { request: RouteRequest; session: ReaderSession },
): Promise<Created> {
  const { name, keywords, categories } = draft
  requireUsable(draft, context.webhookHosts)
  const write = (action: AuditAction, object: string | null, outcome: object) =>
    recordAudit(context.database, {
      ...auditFacts(author),
      action,
      object,
      objectName: name,
      after: { keywords, categories, ...maskDestinations(draft), ...outcome },
    })
  /** A completed creation is answered even if it cannot be recorded: the request is recorded before. */
  const record: typeof write = (...event) =>
    write(...event).catch((error: unknown) => context.log.error('alert-not-audited', error))

  // Before anything is sent: a vendor lets nobody take a profile back.
  await write('alert-requested', null, {})
  try {
    const { caller } = toReadRequest(author.request, author.session)
    const created = await createAlert(context, draft, caller)
    await record('alert-created', created.profile.id, { outcome: created.outcome })
    return created
  } catch (error) {
    const action = error instanceof ProblemError && AUDITED_PROBLEMS[error.problem.code]
    if (action) await record(action, null, {})
    throw error
  }
}
