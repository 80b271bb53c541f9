import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { buttonLook } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { alertListOptions, rereadAlerts } from './alert-options.ts'
import type { AlertsSearch } from './alert-search.ts'
import { CreatedNote } from './created-note.tsx'
import { ProfileList } from './profile-list.tsx'

// Not on the way to the list.
const ProfilePanel = lazy(async () => ({ default: (await import('./profile-panel.tsx')).ProfilePanel }))
const WatchSection = lazyWhenIdle(async () => (await import('./watches/watch-section.tsx')).WatchSection)

type AlertsViewProps = {
  search: AlertsSearch
  /** What reading the list anew costs. */
  refreshCost: ReactNode
  onExplain(threatId: string): void
  onFind(text: string): void
}

/** The profiles of the account, one of them beside the list, and the watches of saved views. */
export function AlertsView({ search, refreshCost, onExplain, onFind }: AlertsViewProps) {
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const { data: list, error, refetch } = useQuery(alertListOptions(timeZone))
  const reread = useMutation({
    mutationFn: () => rereadAlerts(timeZone),
    onSuccess: (read) => queryClient.setQueryData(alertListOptions(timeZone).queryKey, read),
  })
  const opened = list?.profiles.find(({ id }) => id === search.profile)
  const failure = reread.error ?? (list ? error : null)

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <DocumentTitle title="Alerts" />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-xl tracking-tight">Alerts</h1>
        {list && (
          <div className="flex items-center gap-2">
            <AgeNote freshness={list.freshness} />
            <IconButton
              icon="refresh"
              label="Read the list again"
              disabled={reread.isPending}
              onClick={() => reread.mutate()}
            />
            {refreshCost}
          </div>
        )}
        <div className="ml-auto flex flex-wrap items-center gap-2">
          <Link to="/alerts/deliveries" className={buttonLook()}>
            Deliveries
          </Link>
          <Link to="/alerts/new" className={buttonLook({ variant: 'primary' })}>
            <Icon name="plus" />
            New profile
          </Link>
        </div>
      </div>
      {failure && (
        <p role="alert" className="text-medium text-sm">
          The list is not current: {failure.message}
        </p>
      )}
      {search.created !== undefined && (
        <CreatedNote id={search.created} wasFound={search.outcome === 'found'} list={list} />
      )}
      {search.profile !== undefined && list && !opened && (
        <p role="status" className="text-medium text-sm">
          The profile that the address names is not in the list.
        </p>
      )}
      <div
        className={
          opened ? 'grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,34rem)]' : 'grid min-w-0'
        }
      >
        <div className={opened ? 'max-xl:hidden' : 'min-w-0'}>
          <div className="@container -mx-4 overflow-clip border-line border-y bg-surface sm:mx-0 sm:rounded-lg sm:border-x">
            {!list && !error && <ListSkeleton />}
            {!list && error && <AlertsFailure error={error} onRetry={() => refetch()} />}
            {list && <ProfileList list={list} search={search} onFind={onFind} />}
          </div>
        </div>
        {opened && (
          <Suspense>
            <ProfilePanel
              profile={opened}
              extension={list?.extension ?? null}
              threatId={search.threat}
              onExplain={onExplain}
            />
          </Suspense>
        )}
      </div>
      <Suspense>
        <WatchSection />
      </Suspense>
    </div>
  )
}

function ListSkeleton() {
  return (
    <div role="status" className="grid gap-5 p-4">
      <VisuallyHidden>Loading the profiles…</VisuallyHidden>
      {['a', 'b', 'c', 'd'].map((row) => (
        <Skeleton key={row} className="h-12 w-full" />
      ))}
    </div>
  )
}

/** Why there is no list of profiles. */
function AlertsFailure({ error, onRetry }: { error: Error; onRetry(): void }) {
  const code = error instanceof ApiError ? error.problem.code : null
  if (error instanceof ApiError && (code === 'plan_not_allowed' || code === 'not_offered')) {
    const isPlan = code === 'plan_not_allowed'
    return (
      <EmptyState
        {...(isPlan && { icon: 'lock' })}
        title={isPlan ? 'Alert profiles are not in your plan' : 'This source offers no alert profiles'}
      >
        <p>
          <Untrusted text={error.detail} maxLength={400} clip="silent" />
        </p>
        <p className="mt-2">
          {isPlan && 'They take a plan that includes the earlier API. '}The builder’s backtest works all the
          same.
        </p>
        <Link to="/alerts/new" className={`mt-4 ${buttonLook()}`}>
          Try keywords
        </Link>
      </EmptyState>
    )
  }
  return (
    <div className="p-4">
      <ErrorPanel error={error} onRetry={onRetry} />
    </div>
  )
}
