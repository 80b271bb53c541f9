import { useQuery } from '@tanstack/react-query'
import { countOf } from '#app/format/count.ts'
import { millisecondsOf } from '#app/format/time.ts'
import { Icon } from '#app/ui/icon.tsx'
import { MissingNote } from '#app/ui/missing-note.tsx'
import { Time } from '#app/ui/time.tsx'
import { GAP_REASONS } from '#contract/bff/coverage.ts'
import { describeMissing } from '#contract/bff/freshness.ts'
import type { Source, StoreState } from '#contract/bff/source.ts'
import { DAY_MS } from '#contract/duration.ts'
import { sourceOptions } from './source-options.ts'

const MONTH_MS = 29 * DAY_MS

/** Shows what can be read without a call: number of threats, their range and freshness. */
export function StoredSummary() {
  const { data: source } = useQuery(sourceOptions())
  if (!source) return null
  const { window, history } = source
  const { status, from, to, threats, beyond, lastReadAt, trouble, missing } = window
  return (
    <div className="mt-1 grid gap-1 text-muted">
      {status === 'empty' && <p>Nothing is stored yet. Pages fill as the first threats are read.</p>}
      {status !== 'empty' && (
        <p>
          {countOf(threats, 'threat')}, available without API calls
          {from && to && (
            <>
              : <Time at={from} show="day" /> to <Time at={to} show="day" />
            </>
          )}
          .
        </p>
      )}
      {status === 'filling' && (
        <p>
          {from === to
            ? 'Still filling. The vendor’s list is in no order: what it covers is known at its end.'
            : hasMonth(window)
              ? 'Complete for the last 30 days. Older threats are read with spare calls, or at most a page every six hours.'
              : `Still filling, newest first: ${filledShare(window)} % of 30 days.`}
        </p>
      )}
      {status === 'partial' && <p>Not complete: all was read that can be, and threats are missing.</p>}
      <MissingNote reasons={describeMissing(missing)} />
      {status === 'complete' && (
        <p>
          {beyond
            ? `Complete. Nothing older is stored: ${GAP_REASONS[beyond]}.`
            : 'Complete: the vendor has nothing older.'}
        </p>
      )}
      {history && <p>{describeHistory(history)}</p>}
      {trouble && (
        <p className="flex gap-1.5 text-medium">
          <Icon name="alert" className="size-3.5" />
          {trouble}
        </p>
      )}
      <p className="text-faint">
        {lastReadAt ? (
          <>
            Last read <Time at={lastReadAt} show="age" />
          </>
        ) : (
          'Not read yet'
        )}
      </p>
    </div>
  )
}

function describeHistory({ days, records }: NonNullable<Source['history']>): string {
  const time = days === 0 ? 'threats of any age' : `threats of the last ${countOf(days, 'day')}`
  return `Lantern keeps ${time}, at most ${records.toLocaleString('en')} of them.`
}

function hasMonth({ from, to }: StoreState): boolean {
  return from !== null && to !== null && Date.parse(to) - Date.parse(from) >= MONTH_MS
}

const WINDOW_MS = 30 * DAY_MS

/** How much of the 30 days is stored, in whole percent; never 100 while it fills. */
function filledShare({ status, from, to }: StoreState): number {
  if (status === 'complete') return 100
  const share = Math.floor(((millisecondsOf(to) - millisecondsOf(from)) / WINDOW_MS) * 100)
  return Number.isNaN(share) ? 0 : Math.min(99, Math.max(0, share))
}
