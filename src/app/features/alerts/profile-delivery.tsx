import { useQuery } from '@tanstack/react-query'
import { sessionOptions } from '#app/features/session/session-options.ts'
import type { AlertList, AlertProfile } from '#contract/bff/alert.ts'
import { TestButton } from './deliveries/test-button.tsx'
import { TestedRow } from './deliveries/tested-row.tsx'
import { DeliverySummary } from './delivery-summary.tsx'
import { NoEmailNote } from './no-email-note.tsx'
import { ProfileActions } from './profile-actions.tsx'
import { destinationsInWords } from './profile-destinations.tsx'
import { testProfile } from './profile-mutations.ts'

type ProfileDeliveryProps = { profile: AlertProfile; extension: NonNullable<AlertList['extension']> }

/** How the messages of a profile go, and what may be done with it. */
export function ProfileDelivery({ profile, extension }: ProfileDeliveryProps) {
  const { data: session } = useQuery(sessionOptions())
  const canChange = session !== undefined && session.user.role !== 'viewer'
  const summary = extension.deliveries[profile.id]
  const hasDestination = destinationsInWords(profile.destinations) !== ''
  return (
    <div className="grid gap-3 border-line border-t px-4 py-3">
      {summary && <DeliverySummary summary={summary} profileId={profile.id} hasLedger={canChange} />}
      {!extension.hasEmail && profile.destinations.email.length > 0 && <NoEmailNote />}
      {canChange && hasDestination && (
        <TestedRow
          test={
            <TestButton
              label="Test destinations"
              subject="of the profile"
              send={() => testProfile(profile.id)}
            />
          }
        />
      )}
      <ProfileActions row={{ runsIn: 'vendor', profile, summary: summary ?? null }} />
    </div>
  )
}
