import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { count, countOf } from '#app/format/count.ts'
import { storedDays } from '#app/format/stored-days.ts'
import { Button } from '#app/ui/button.tsx'
import { DraftTextField } from '#app/ui/draft-text-field.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { AlertList } from '#contract/bff/alert.ts'
import type { AlertsSearch } from './alert-search.ts'
import { findProfiles } from './find-profiles.ts'
import type { ProfileRow } from './profile-row.ts'
import { ProfileTable } from './profile-table.tsx'

type ProfileListProps = {
  rows: readonly ProfileRow[]
  /** The 30 days in which matches are counted. */
  days: AlertList['days']
  /** The vendor's list; undefined where it cannot be read. */
  vendor: Pick<AlertList, 'unreadable' | 'extension'> | undefined
  search: AlertsSearch
  isViewer: boolean
  onFind(text: string): void
}

const FIND_FROM_COUNT = 8
const STEP = 100

/** The profiles, a hundred at a time. */
export function ProfileList({ rows, days, vendor, search, isViewer, onFind }: ProfileListProps) {
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
