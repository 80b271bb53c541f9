import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { SecretField } from '#app/ui/secret-field.tsx'
import type { Recipient } from '#contract/bff/recipient.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { lanternProfileMutations } from '../lantern-profile-options.ts'
import { recipientLine } from './recipient-name.tsx'

type ReplaceSecretProps = { profileId: string; recipient: Recipient }

/** Makes a new signing secret for a webhook, and shows it, the only time. */
export function ReplaceSecret({ profileId, recipient }: ReplaceSecretProps) {
  const { data, error, isPending, mutate } = useMutation(
    lanternProfileMutations(useQueryClient()).replaceSecret,
  )
  const secret = data?.secrets[recipient.id]
  if (secret !== undefined)
    return (
      <SecretField
        label="New signing secret"
        value={secret}
        hint="Copy it now: it is not shown again. For 24 hours messages are signed with both secrets."
      />
    )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <AskFirst
        label="Replace secret"
        accessibleLabel={`Replace secret of ${visibleLine(recipientLine(recipient))}`}
        warning="The present secret is valid for 24 more hours."
        confirm="Replace secret"
        isBusy={isPending}
        onConfirm={() => mutate({ profileId, recipientId: recipient.id })}
      />
      <ActionError error={error} not="replaced" />
    </div>
  )
}
