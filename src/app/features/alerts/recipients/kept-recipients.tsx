import { IconButton } from '#app/ui/icon-button.tsx'
import type { Recipient } from '#contract/bff/recipient.ts'
import { visibleLine } from '#contract/visible-text.ts'
import type { RecipientFieldsProps } from './recipient-fields.tsx'
import { RecipientName, recipientLine } from './recipient-name.tsx'

type KeptRecipientsProps = RecipientFieldsProps & {
  /** Those that the profile has already. */
  recipients: readonly Recipient[]
}

/** What a profile has already is shown masked, and can only be removed. */
export function KeptRecipients({ draft, recipients, onChange }: KeptRecipientsProps) {
  const kept = recipients.filter(({ id }) => draft.kept.includes(id))
  if (kept.length === 0) return null
  return (
    <ul aria-label="Recipients" className="grid gap-1">
      {kept.map((recipient) => (
        <li key={recipient.id} className="flex items-center gap-2 rounded-md border border-line pl-2.5">
          <span className="wrap-anywhere min-w-0 flex-1 py-1 text-sm">
            <RecipientName recipient={recipient} />
          </span>
          <IconButton
            icon="x"
            label={`Remove ${visibleLine(recipientLine(recipient))}`}
            onClick={() => onChange({ kept: draft.kept.filter((id) => id !== recipient.id) })}
          />
        </li>
      ))}
    </ul>
  )
}
