import { Button } from '#app/ui/button.tsx'
import { SecretField } from '#app/ui/secret-field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { LanternProfileSaved } from '#contract/bff/alert-profile.ts'
import { RecipientList } from '../recipients/recipient-list.tsx'

type SavedProfileProps = { saved: LanternProfileSaved; onClose(): void }

/** Shows the signing secrets of new webhooks, the only time. */
export function SavedProfile({ saved: { profile, secrets }, onClose }: SavedProfileProps) {
  return (
    <SectionCard title="Profile saved">
      <div className="grid max-w-2xl gap-4 p-4 text-sm">
        <p role="status">
          “<Untrusted text={profile.name} maxLength={80} clip="silent" isRaw />” is saved. Copy the secret
          now: it is not shown again.
        </p>
        <RecipientList
          profile={profile}
          canTest
          renderMore={({ id }) =>
            secrets[id] !== undefined && (
              <SecretField
                label="Signing secret"
                value={secrets[id]}
                hint="Use it to verify the signature of each message."
              />
            )
          }
        />
        <Button variant="primary" onClick={onClose} className="justify-self-start max-sm:h-11">
          Done
        </Button>
      </div>
    </SectionCard>
  )
}
