import { wrongFields } from '#bff/http/problem-error.ts'
import type { AlertChange } from '#contract/bff/alert.ts'
import { webhookFault } from '#contract/bff/recipient.ts'
import { parseKeyword } from '#matcher/keyword.ts'

/** Refuses keywords without a letter and a digit, and webhooks to other hosts than Slack, Teams and those of NOTIFY_HOSTS. */
export function requireUsable(draft: AlertChange, hosts: readonly string[]): void {
  const { keywords = [] } = draft
  const unusable = keywords.flatMap((keyword, at) =>
    parseKeyword(keyword) ? [] : [{ name: `keywords.${at}`, reason: 'It has no letter and no digit.' }],
  )
  const forbidden = (['slack', 'teams'] as const).flatMap((name) => {
    const url = draft[name]
    const reason = url ? webhookFault(name, url, hosts) : null
    return reason === null ? [] : [{ name, reason }]
  })
  const fields = [...unusable, ...forbidden]
  if (fields.length === 0) return
  throw wrongFields(fields)
}
