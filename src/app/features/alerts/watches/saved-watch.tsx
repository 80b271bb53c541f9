import { Link } from '@tanstack/react-router'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { WatchSaved } from '#contract/bff/watch.ts'
import { TestButton } from '../deliveries/test-button.tsx'
import { testRecipient } from '../watch-options.ts'
import { RecipientName, recipientLine } from './recipient-name.tsx'
import { WatchCaveat } from './watch-caveat.tsx'

/** What is told from now on, to whom; secrets of new webhooks, the only time. */
export function SavedWatch({ saved: { watch, secrets }, onClose }: { saved: WatchSaved; onClose(): void }) {
  return (
    <div className="grid gap-4">
      <p role="status">
        “<Untrusted text={watch.viewName} maxLength={80} clip="silent" isRaw />” is watched
        {watch.state === 'paused' && ', but paused'}.
      </p>
      <WatchCaveat caveat={watch.caveat} />
      <ul aria-label="Recipients" className="grid gap-3">
        {watch.recipients.map((recipient) => {
          const secret = secrets[recipient.id]
          return (
            <li key={recipient.id} className="grid gap-2 rounded-md border border-line p-2.5">
              <div className="flex flex-wrap items-center justify-between gap-2">
                <span className="wrap-anywhere min-w-0">
                  <RecipientName recipient={recipient} />
                </span>
                <TestButton
                  subject={recipientLine(recipient)}
                  send={async () => [await testRecipient(watch.id, recipient.id)]}
                />
              </div>
              {secret !== undefined && (
                <div className="flex items-end gap-2">
                  <TextField
                    label="Signing secret"
                    readOnly
                    value={secret}
                    hint="Copy it now: it is not shown again. Your program proves messages by it."
                    onFocus={(event) => event.target.select()}
                    className="flex-1 font-mono"
                  />
                  <span className="mb-5">
                    <CopyButton text={secret} size="medium" />
                  </span>
                </div>
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
