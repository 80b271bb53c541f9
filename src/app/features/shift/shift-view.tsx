import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Button } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Time } from '#app/ui/time.tsx'
import { useNow } from '#app/ui/use-now.ts'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { shiftOptions, shiftVisitOptions } from './shift-options.ts'
import { ShiftParts } from './shift-parts.tsx'

const PrintFoot = lazyWhenIdle(async () => (await import('#app/features/source/print-foot.tsx')).PrintFoot)

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const LENGTHS_HOURS = [8, 12, 24]
const LINK =
  'touch rounded-sm text-accent hover:underline max-sm:inline-flex max-sm:min-h-11 max-sm:items-center'

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
        <StartLinks />
        <Button icon="printer" className="ml-auto print:hidden" onClick={() => globalThis.print()}>
          Print
        </Button>
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
  return (
    <LoadedPart query={visit} name="your last visit" heights={['h-24', 'h-64']}>
      {({ since }) => <Navigate to="/shift" search={{ since }} replace />}
    </LoadedPart>
  )
}

function SinceMoment({ since }: { since: string }) {
  return (
    <LoadedPart query={useQuery(shiftOptions(since))} name="the shift" heights={['h-24', 'h-64', 'h-64']}>
      {(shift) => <ShiftParts shift={shift} />}
    </LoadedPart>
  )
}

/** Leads to other beginnings. They are whole minutes, so that an address stays the same for one. */
function StartLinks() {
  const now = Math.floor(useNow() / MINUTE_MS) * MINUTE_MS
  return (
    <nav aria-label="Beginning of the shift" className="flex flex-wrap gap-x-4 text-sm print:hidden">
      <Link to="/shift" search={{}} activeOptions={{ exact: true, includeSearch: true }} className={LINK}>
        Since my last visit
      </Link>
      {LENGTHS_HOURS.map((hours) => (
        <Link
          key={hours}
          to="/shift"
          search={{ since: new Date(now - hours * HOUR_MS).toISOString() }}
          className={LINK}
        >
          Last {hours} hours
        </Link>
      ))}
    </nav>
  )
}
