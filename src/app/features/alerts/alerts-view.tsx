import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { AgeNote } from '#app/ui/age-note.tsx'
import { buttonLook } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { alertListOptions, rereadAlerts } from './alert-options.ts'
import type { AlertsSearch } from './alert-search.ts'
import { CreatedNote } from './created-note.tsx'
import { HealthLine } from './health/health-line.tsx'
import { lanternProfileListOptions } from './lantern-profile-options.ts'
import { NoEmailNote } from './no-email-note.tsx'
import { ProfileList } from './profile-list.tsx'
import { listRows } from './profile-row.ts'

// Not on the way to the list.
const ProfilePanel = lazy(async () => ({ default: (await import('./profile-panel.tsx')).ProfilePanel }))
const LanternPanel = lazy(async () => ({ default: (await import('./lantern-panel.tsx')).LanternPanel }))

type AlertsViewProps = {
  search: AlertsSearch
  onExplain(threatId: string): void
  onFind(text: string): void
}

/** All alert profiles, one of them beside the list. */
export function AlertsView({ search, onExplain, onFind }: AlertsViewProps) {
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const { data: session } = useQuery(sessionOptions())
  const { data: list, error, isPending } = useQuery(alertListOptions(timeZone))
  const own = useQuery(lanternProfileListOptions(timeZone))
  const reread = useMutation({
    mutationFn: () => rereadAlerts(timeZone),
    onSuccess: (read) => queryClient.setQueryData(alertListOptions(timeZone).queryKey, read),
  })
  const rows = listRows(list, own.data?.profiles ?? [])
  const opened = rows.find(({ profile }) => profile.id === search.profile)
  const failure = reread.error ?? (list ? error : null)
  const isRead = own.data !== undefined && !isPending
  const role = session?.user.role ?? 'viewer'

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
            <CallCost calls="1" />
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
      {/* On narrow pages an open profile replaces this line by the health of its own recipients. */}
      <div className={opened && 'max-xl:hidden'}>
        <HealthLine />
      </div>
      {failure && (
        <p role="alert" className="text-medium text-sm">
          The list is not current: {failure.message}
        </p>
      )}
      {!list && error && <VendorFailure error={error} />}
      {own.data?.hasEmail === false && role !== 'viewer' && hasMail(rows) && <NoEmailNote />}
      {search.created !== undefined && (
        <CreatedNote
          id={search.created}
          wasFound={search.outcome === 'found'}
          name={rows.find(({ profile }) => profile.id === search.created)?.profile.name}
        />
      )}
      {search.profile !== undefined && isRead && !opened && (
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
            <LoadedPart query={own} name="the profiles" heights={Array(4).fill('h-12')}>
              {({ days }) => (
                <ProfileList
                  rows={rows}
                  days={list?.days ?? days}
                  vendor={list}
                  search={search}
                  isViewer={role === 'viewer'}
                  onFind={onFind}
                />
              )}
            </LoadedPart>
          </div>
        </div>
        {opened && (
          <Suspense>
            {opened.runsIn === 'lantern' ? (
              <LanternPanel profile={opened.profile} />
            ) : (
              <ProfilePanel
                profile={opened.profile}
                extension={list?.extension ?? null}
                threatId={search.threat}
                onExplain={onExplain}
              />
            )}
          </Suspense>
        )}
      </div>
    </div>
  )
}

function hasMail(rows: ReturnType<typeof listRows>): boolean {
  return rows.some(
    ({ runsIn, profile }) =>
      runsIn === 'lantern' &&
      profile.recipients.some(({ channel }) => channel === 'email' || channel === 'user'),
  )
}

/** Why the profiles of the vendor's account are not in the list, in one sentence. */
function VendorFailure({ error }: { error: Error }) {
  const code = error instanceof ApiError ? error.problem.code : null
  return (
    <p role="status" className="text-muted text-sm">
      {code === 'plan_not_allowed' ? (
        'The plan of the API key does not include profiles in the vendor’s account: new ones run in Lantern.'
      ) : code === 'not_offered' ? (
        'This source offers no profiles in its account: new ones run in Lantern.'
      ) : (
        <>
          Profiles of the vendor’s account are missing:{' '}
          <Untrusted
            text={error instanceof ApiError ? error.detail : error.message}
            maxLength={400}
            clip="silent"
          />
        </>
      )}
    </p>
  )
}
