import type { ReactNode } from 'react'
import type { LanternProfile } from '#contract/bff/alert-profile.ts'
import type { Recipient } from '#contract/bff/recipient.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { TestButton } from '../deliveries/test-button.tsx'
import { TestedRow } from '../deliveries/tested-row.tsx'
import { testRecipient } from '../lantern-profile-options.ts'
import { RecipientName, recipientLine } from './recipient-name.tsx'

type RecipientListProps = {
  profile: LanternProfile
  canTest: boolean
  /** Below each. */
  renderMore?(recipient: Recipient): ReactNode
}

/** The recipients of a profile, each with its test. */
export function RecipientList({ profile: { id, recipients }, canTest, renderMore }: RecipientListProps) {
  if (recipients.length === 0) return <span className="text-faint">None: it only counts</span>
  return (
    <ul aria-label="Recipients" className="grid gap-4">
      {recipients.map((recipient) => (
        <li key={recipient.id} className="grid min-w-0 gap-2">
          <TestedRow
            test={
              canTest && (
                <TestButton
                  subject={visibleLine(recipientLine(recipient))}
                  send={async () => [await testRecipient(id, recipient.id)]}
                />
              )
            }
          >
            <RecipientName recipient={recipient} />
          </TestedRow>
          {renderMore?.(recipient)}
        </li>
      ))}
    </ul>
  )
}
