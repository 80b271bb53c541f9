import { ProblemError } from '#bff/http/problem-error.ts'
import type { AlertDraft } from '#contract/bff/alert.ts'
import { webhookFault } from '#contract/bff/webhook-fault.ts'

/** Refuses webhooks that lead elsewhere than to Slack, Teams and the hosts of NOTIFY_HOSTS. */
export function requirePermittedWebhooks(
  draft: Partial<Pick<AlertDraft, 'slack' | 'teams'>>,
  hosts: readonly string[],
): void {
  const fields = (['slack', 'teams'] as const).flatMap((name) => {
    const url = draft[name]
    const reason = url ? webhookFault(name, url, hosts) : null
    return reason === null ? [] : [{ name, reason }]
  })
  if (fields.length === 0) return
  throw new ProblemError({ code: 'bad_request', detail: 'Correct the fields named here.', fields })
}
