import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { Button, buttonLook } from '#app/ui/button.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import type { AlertList, AlertProfile } from '#contract/bff/alert.ts'
import { AskFirst } from './ask-first.tsx'
import { TestButton } from './deliveries/test-button.tsx'
import { TestedRow } from './deliveries/tested-row.tsx'
import { DeliverySummary } from './delivery-summary.tsx'
import { NoEmailNote } from './no-email-note.tsx'
import { destinationsInWords } from './profile-destinations.tsx'
import { profileMutations, testProfile } from './profile-mutations.ts'

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
      {canChange && <ProfileActions profile={profile} isPaused={summary?.state === 'paused'} />}
    </div>
  )
}

function ProfileActions({ profile, isPaused }: { profile: AlertProfile; isPaused: boolean }) {
  const navigate = useNavigate()
  const mutations = profileMutations(useQueryClient())
  const change = useMutation(mutations.change)
  const remove = useMutation({
    ...mutations.remove,
    onSuccess: () =>
      navigate({ to: '/alerts', search: (before) => ({ find: before.find }), resetScroll: false }),
  })
  const error = change.error ?? remove.error
  return (
    <div className="flex flex-wrap items-center gap-2">
      <AskFirst
        label="Delete…"
        warning="For good? What waits is not sent either."
        confirm="Delete for good"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(profile.id)}
      >
        <Button
          size="small"
          isBusy={change.isPending}
          className="max-sm:h-11"
          onClick={() => change.mutate({ id: profile.id, change: { state: isPaused ? 'active' : 'paused' } })}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Link
          to="/alerts/new"
          search={{ edit: profile.id }}
          className={`${buttonLook({ size: 'small' })} max-sm:h-11`}
        >
          Edit
        </Link>
      </AskFirst>
      {error && (
        <p role="alert" className="text-critical text-xs">
          Not done. {explainError(error).message}. {explainError(error).detail}
        </p>
      )}
    </div>
  )
}
