import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { count, countOf } from '#app/format/count.ts'
import { storedDays } from '#app/format/stored-days.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Button, buttonLook, IconButton } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { DraftTextField } from '#app/ui/draft-text-field.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertList } from '#contract/bff/alert.ts'
import { normaliseText, normaliseTexts } from '#matcher/normalise-text.ts'
import { alertListOptions, rereadAlerts } from './alert-options.ts'
import type { AlertsSearch } from './alert-search.ts'
import { HealthLine } from './health/health-line.tsx'
import { lanternProfileListOptions } from './lantern-profile-options.ts'
import { NoEmailNote } from './no-email-note.tsx'
import { listRows, type ProfileRow, termsOf } from './profiles/profile-row.ts'
import { focusProfileLink, ProfileTable } from './profiles/profile-table.tsx'

// Not on the way to the list.
const ProfilePanel = lazy(async () => ({
  default: (await import('./profiles/profile-panel.tsx')).ProfilePanel,
}))
const LanternPanel = lazy(async () => ({
  default: (await import('./profiles/lantern-panel.tsx')).LanternPanel,
}))

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
          {role !== 'viewer' && (
            <Link to="/alerts/deliveries" className={buttonLook()}>
              Deliveries
            </Link>
          )}
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
        'This vendor offers no profiles in its account: new ones run in Lantern.'
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

type ProfileListProps = {
  rows: readonly ProfileRow[]
  /** The 30 days in which matches are counted. */
  days: AlertList['days']
  /** The vendor's list; undefined where it cannot be read. */
  vendor: AlertList | undefined
  search: AlertsSearch
  isViewer: boolean
  onFind(text: string): void
}

const FIND_FROM_COUNT = 8
const STEP = 100

/** The profiles, a hundred at a time. */
function ProfileList({ rows, days, vendor, search, isViewer, onFind }: ProfileListProps) {
  const [limit, setLimit] = useState(STEP)
  const found = findProfiles(rows, search.find ?? '')
  const unreadable = vendor?.unreadable ?? 0
  if (rows.length === 0 && unreadable === 0) {
    return (
      <EmptyState icon="eye" title="No alert profiles yet">
        <p>
          A profile looks for your words, or for any search, in each new threat, and notifies its recipients.
          The builder shows what it would have matched before you save it.
        </p>
        {!isViewer && (
          <p className="mt-3">
            <Link to="/alerts/new" className="touch font-medium text-accent hover:underline">
              Create the first profile
            </Link>
          </p>
        )}
      </EmptyState>
    )
  }
  return (
    <>
      {(rows.length >= FIND_FROM_COUNT || search.find !== undefined) && (
        <div className="border-line border-b px-4 py-3">
          <DraftTextField
            label="Find a profile"
            type="search"
            icon="search"
            className="max-w-80"
            value={search.find ?? ''}
            onCommit={onFind}
          />
        </div>
      )}
      {found.length > 0 ? (
        <ProfileTable
          rows={found.slice(0, limit)}
          period={storedDays(days, '30 days')}
          openId={search.profile}
          createdId={search.created}
          isViewer={isViewer}
        />
      ) : (
        <p className="px-4 py-6 text-muted text-sm">
          {rows.length > 0 ? 'No profile contains these words.' : 'None of the profiles could be read.'}
        </p>
      )}
      {found.length > limit && (
        <div className="border-line border-t p-3 text-center">
          <Button onClick={() => setLimit(limit + STEP)}>
            Show {count(Math.min(STEP, found.length - limit))} more of {count(found.length - limit)}
          </Button>
        </div>
      )}
      <p className="border-line border-t px-4 py-2.5 text-faint text-xs">
        {countOf(rows.length, 'profile')}.
        {unreadable > 0 && ` ${countOf(unreadable, 'entry', 'entries')} could not be read.`}{' '}
        {vendor && <DeliveryNote isSending={vendor.extension !== null} />}
      </p>
    </>
  )
}

/** Says who sends the messages of profiles, as soon as it is known. */
function DeliveryNote({ isSending }: { isSending: boolean }) {
  const { data: source } = useQuery(sourceOptions())
  if (!source) return null
  return isSending || source.isOwnService
    ? 'When a new threat matches, Lantern sends the messages.'
    : 'The vendor sends the messages of profiles in its account. Its API has no way to change or delete one: duplicate it to run the copy in Lantern.'
}

/** The profiles that contain what is typed, in their name or in what they look for, where a word begins. */
export function findProfiles(rows: readonly ProfileRow[], text: string): readonly ProfileRow[] {
  const wanted = normaliseText(text).trimEnd()
  if (wanted === '') return rows
  return rows.filter((row) => {
    const categories = row.runsIn === 'vendor' ? row.profile.categories : []
    return normaliseTexts([row.profile.name, ...termsOf(row), ...categories]).includes(wanted)
  })
}

type CreatedNoteProps = {
  id: string
  /** It had been sent before, or the answer was lost, and it was then found in the API's list. */
  wasFound: boolean
  /** As the list has it; undefined while it is not there. */
  name: string | undefined
}

/** Says that a profile was made, and leads to it. */
function CreatedNote({ id, wasFound, name }: CreatedNoteProps) {
  const isListed = name !== undefined
  useEffect(() => {
    if (isListed) focusProfileLink(id)
  }, [id, isListed])

  return (
    <p
      role="status"
      className="flex items-center gap-2 rounded-lg border border-accent/40 bg-accent/10 py-1.5 pr-1.5 pl-3 text-sm"
    >
      <Icon name="check" className="size-4 text-accent" />
      <span className="min-w-0 flex-1">
        {isListed ? (
          <>
            “<Untrusted text={name} maxLength={120} clip="silent" />” was created.
          </>
        ) : (
          'The profile was created. It appears here with the next reading of the list.'
        )}
        {wasFound &&
          ' It had been sent already: Lantern then found the profile in its list, and did not send it twice.'}
      </span>
      <Link
        to="/alerts"
        title="Close"
        className="grid size-7 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <Icon name="x" />
        <span className="sr-only">Close this note</span>
      </Link>
    </p>
  )
}
