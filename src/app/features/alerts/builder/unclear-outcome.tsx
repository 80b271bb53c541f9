import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError } from '#app/api/api-error.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Time } from '#app/ui/time.tsx'
import type { AlertList } from '#contract/bff/alert.ts'
import { alertListOptions, rereadAlerts } from '../alert-options.ts'

type UnclearOutcomeProps = {
  error: ApiError
  /** Name of the profile that may or may not exist. */
  name: string
}

/** Nobody knows whether the profile was made: creating it again could make two. */
export function UnclearOutcome({ error, name }: UnclearOutcomeProps) {
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const look = useMutation({
    mutationFn: () => rereadAlerts(timeZone),
    onSuccess: (list) => queryClient.setQueryData(alertListOptions(timeZone).queryKey, list),
  })
  return (
    <section
      role="alert"
      className="grid grid-cols-[auto_1fr] gap-x-3 rounded-lg border border-medium/35 bg-medium/10 p-4"
    >
      <Icon name="alert" className="mt-0.5 size-5 text-medium" />
      <div className="grid gap-1.5">
        <p className="font-semibold text-base">{error.message}</p>
        <p className="text-muted text-sm">{error.detail} Your draft stands as it is.</p>
        {look.data && <LookedUp list={look.data} name={name} />}
        {look.error && (
          <p className="text-critical text-sm">The list could not be read: {look.error.message}</p>
        )}
        <div className="mt-1 flex flex-wrap items-center gap-3">
          <Button icon="search" isBusy={look.isPending} onClick={() => look.mutate()}>
            Look in the list
          </Button>
          <CallCost calls="1" />
        </div>
      </div>
    </section>
  )
}

function LookedUp({ list: { profiles, freshness }, name }: { list: AlertList; name: string }) {
  const found = profiles.filter((profile) => profile.name === name)
  const readAt = <Time at={freshness.fetchedAt} show="clock" />
  const [newest] = found.toSorted((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? ''))
  if (!newest) {
    return (
      <p className="text-sm">
        No profile of this name is in the list, read at {readAt}. It may still appear; if it does not within a
        few minutes, create it again.
      </p>
    )
  }
  return (
    <p className="text-sm">
      A profile of this name is in the list, read at {readAt}
      {newest.createdAt !== null && (
        <>
          , created <Time at={newest.createdAt} />
        </>
      )}
      .{' '}
      <Link
        to="/alerts"
        search={{ profile: newest.id }}
        className="touch rounded-sm font-medium text-accent hover:underline"
      >
        Open it
      </Link>
    </p>
  )
}

export function isUnclear(error: Error | null): error is ApiError {
  return error instanceof ApiError && error.problem.code === 'alert_unclear'
}
