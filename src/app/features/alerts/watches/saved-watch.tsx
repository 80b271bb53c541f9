import { Link } from '@tanstack/react-router'
import { Button } from '#app/ui/button.tsx'
import { SecretField } from '#app/ui/secret-field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { WatchSaved } from '#contract/bff/watch.ts'
import { TestButton } from '../deliveries/test-button.tsx'
import { TestedRow } from '../deliveries/tested-row.tsx'
import { testRecipient } from '../watch-options.ts'
import { RecipientName, recipientLine } from './recipient-name.tsx'
import { SearchFaultsNote } from './search-faults-note.tsx'

/** What is told from now on, to whom; secrets of new webhooks, the only time. */
export function SavedWatch({ saved: { watch, secrets }, onClose }: { saved: WatchSaved; onClose(): void }) {
  return (
    <div className="grid gap-4">
      <p role="status">
        “<Untrusted text={watch.viewName} maxLength={80} clip="silent" isRaw />” is watched
        {watch.state === 'paused' && ', but paused'}.
      </p>
      <SearchFaultsNote searchFaults={watch.searchFaults} />
      <ul aria-label="Recipients" className="grid gap-3">
        {watch.recipients.map((recipient) => {
          const secret = secrets[recipient.id]
          return (
            <li key={recipient.id} className="grid gap-2 rounded-md border border-line p-2.5">
              <TestedRow
                test={
                  <TestButton
                    subject={recipientLine(recipient)}
                    send={async () => [await testRecipient(watch.id, recipient.id)]}
                  />
                }
              >
                <RecipientName recipient={recipient} />
              </TestedRow>
              {secret !== undefined && (
                <SecretField
                  label="Signing secret"
                  value={secret}
                  hint="Copy it now: it is not shown again. Use it to verify the signature."
                />
              )}
            </li>
          )
        })}
      </ul>
      <div className="flex items-center justify-between gap-2">
        <Link to="/alerts" hash="watches" className="touch font-medium text-accent hover:underline">
          All watches
        </Link>
        <Button variant="primary" onClick={onClose} className="max-sm:h-11">
          Done
        </Button>
      </div>
    </div>
  )
}
