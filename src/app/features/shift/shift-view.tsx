import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useNavigate } from '@tanstack/react-router'
import { Suspense, useDeferredValue } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { sendJson } from '#app/api/send-json.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Button, buttonLook } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { NotRefreshed } from '#app/ui/not-refreshed.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Segments } from '#app/ui/segments.tsx'
import { Time } from '#app/ui/time.tsx'
import { useNow } from '#app/ui/use-now.ts'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { type Shift, shiftSchema, shiftStartSchema } from '#contract/bff/shift.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/duration.ts'
import { ShiftParts } from './shift-parts.tsx'

const PrintFoot = lazyWhenIdle(async () => (await import('#app/features/source/print-foot.tsx')).PrintFoot)

const LENGTHS_HOURS = [8, 12, 24]

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How the reader chose when the shift begins: `visit`, or so many hours ago. Absent behind a link. */
    shiftStart?: 'visit' | number
  }
}

/** Shows what happened since a moment, for whoever hands over or takes over; without one, since the last visit. */
export function ShiftView({ since }: { since: string | undefined }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 print:gap-2">
      <DocumentTitle title="Shift" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="font-semibold text-xl tracking-tight">Shift</h1>
        {since && (
          <p className="text-muted text-sm">
            since <Time at={since} />
          </p>
        )}
        <Starts since={since} />
        <Button icon="printer" className="ml-auto print:hidden" onClick={() => globalThis.print()}>
          Print
        </Button>
        <SendAsDigest />
      </div>
      {since === undefined ? <FromLastVisit /> : <SinceMoment since={since} />}
      <Suspense fallback={null}>
        <PrintFoot />
      </Suspense>
    </div>
  )
}

/** The address always says when the page begins, so that it can be shared and opened again. */
function FromLastVisit() {
  const visit = useQuery(shiftVisitOptions(useTimeZone()))
  // The page that somebody leaves for can still be loading.
  const isLeft = useLocation({ select: ({ pathname }) => pathname !== '/shift' })
  return (
    <LoadedPart query={visit} name="your last visit" heights={['h-24', 'h-64']}>
      {({ since }) =>
        !isLeft && <Navigate to="/shift" search={{ since }} state={{ shiftStart: 'visit' }} replace />
      }
    </LoadedPart>
  )
}

function SinceMoment({ since }: { since: string }) {
  const query = useQuery(shiftOptions(since))
  // Live updates are drawn in slices, below what a reader presses meanwhile.
  const data = useDeferredValue(query.data)
  return (
    <>
      <ReadAt query={query} />
      <LoadedPart query={{ ...query, data }} name="the shift" heights={['h-24', 'h-64', 'h-64']}>
        {(shift) => <ShiftParts shift={shift} />}
      </LoadedPart>
    </>
  )
}

/** How old the page is, or the claims behind it: whoever prints it has that on paper too. */
function ReadAt({ query }: { query: UseQueryResult<Shift> }) {
  if (query.error) return <NotRefreshed query={query} />
  if (query.data === undefined) return null
  const { freshness } = query.data
  const fetchedAt = new Date(query.dataUpdatedAt).toISOString()
  return (
    <AgeNote freshness={freshness?.isStale ? freshness : { fetchedAt, isStale: false, staleReason: null }} />
  )
}

/**
 * Leads to other beginnings, and marks the one that was chosen, as long as it is true. They are whole minutes, so that an
 * address stays the same for one.
 */
function Starts({ since }: { since: string | undefined }) {
  const navigate = useNavigate()
  const chosen = useLocation({ select: ({ state }) => state.shiftStart })
  const now = Math.floor(useNow() / MINUTE_MS) * MINUTE_MS
  const length = since === undefined ? 0 : now - Date.parse(since)
  return (
    <span className="flex h-8 items-center max-sm:h-auto print:hidden">
      <Segments
        legend="Beginning of the shift"
        segments={[
          {
            key: 'visit',
            label: 'Since my last visit',
            isOn: chosen === 'visit',
            onPress: () => navigate({ to: '/shift', search: {} }),
          },
          ...LENGTHS_HOURS.map((hours) => ({
            key: String(hours),
            label: `Last ${hours} hours`,
            isOn: chosen === hours && length < (hours + 1) * HOUR_MS,
            onPress: () =>
              navigate({
                to: '/shift',
                search: { since: new Date(now - hours * HOUR_MS).toISOString() },
                state: { shiftStart: hours },
              }),
          })),
        ]}
      />
    </span>
  )
}

/** Leads to the builder of alert profiles, for one that sends this page. */
function SendAsDigest() {
  const { data: session } = useQuery(sessionOptions())
  if (!session || session.user.role === 'viewer') return null
  return (
    <Link to="/alerts/new" search={{ sends: 'shift' }} className={`${buttonLook()} max-sm:h-11 print:hidden`}>
      <Icon name="bell" />
      Send as digest
    </Link>
  )
}

/** Cases become overdue by time alone, without an event. */
const AGE_MAX_MS = 60_000

/** Reads what happened since a moment; from the store, free. */
function shiftOptions(since: string) {
  return queryOptions({
    queryKey: ['shift', since],
    queryFn: ({ signal }) => getJson('shift', shiftSchema, { query: { since }, signal, background: true }),
    refetchInterval: AGE_MAX_MS,
  })
}

/** Notes a visit of the page, and reads when it begins. Nothing is cached: each visit is noted. */
function shiftVisitOptions(timeZone: string) {
  return queryOptions({
    queryKey: ['shift-visits', timeZone],
    queryFn: () => sendJson('shift-visits', shiftStartSchema, { body: { timeZone } }),
    gcTime: 0,
    staleTime: 0,
  })
}
