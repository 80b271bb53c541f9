import type { ReactNode } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { visibleLine } from '#contract/visible-text.ts'
import { type Edited, usedPart } from '../builder/builder-draft.ts'
import { listDestinations } from '../profiles/profile-destinations.tsx'
import type { RecipientFieldsProps } from './recipient-fields.tsx'
import { RecipientName, recipientLine } from './recipient-name.tsx'

/** Lists stored recipients. They are masked and can only be removed. */
export function KeptRecipients({ draft, edited, onChange }: RecipientFieldsProps & { edited: Edited }) {
  const used = usedPart(draft, edited)
  const kept = recipientsOf(edited).filter(({ id }) => used.kept.includes(id))
  if (kept.length === 0) return null
  return (
    <ul aria-label="Recipients" className="grid gap-1">
      {kept.map(({ id, label, shown }) => (
        <li key={id} className="flex items-center gap-2 rounded-md border border-line pl-2.5">
          <span className="wrap-anywhere min-w-0 flex-1 py-1 text-sm">{shown}</span>
          <IconButton
            icon="x"
            label={`Remove ${visibleLine(label)}`}
            onClick={() => onChange({ kept: draft.kept.filter((each) => each !== id) })}
          />
        </li>
      ))}
    </ul>
  )
}

type KeptRecipient = { id: string; label: string; shown: ReactNode }

/** The vendor's account takes all email addresses together. */
function recipientsOf(edited: Edited): KeptRecipient[] {
  if (edited.runsIn === 'lantern')
    return edited.profile.recipients.map((recipient) => ({
      id: recipient.id,
      label: recipientLine(recipient),
      shown: <RecipientName recipient={recipient} />,
    }))
  const destinations = listDestinations(edited.profile.destinations)
  return ['email', 'slack', 'teams'].flatMap((id) => {
    const own = destinations.filter(({ name }) => name.startsWith(id))
    const label = own.map(({ address }) => address).join(', ')
    const shown = (
      <>
        <span className="text-faint">{own[0]?.kind} </span>
        <Untrusted text={label} maxLength={400} clip="silent" isRaw />
      </>
    )
    return own.length > 0 ? { id, label, shown } : []
  })
}
