import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { count, countOf } from '#app/format/count.ts'
import { storedDays } from '#app/format/stored-days.ts'
import { Button } from '#app/ui/button.tsx'
import { DraftTextField } from '#app/ui/draft-text-field.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { AlertList } from '#contract/bff/alert.ts'
import type { AlertsSearch } from './alert-search.ts'
import { DeliveryNote } from './delivery-note.tsx'
import { findProfiles } from './find-profiles.ts'
import { ProfileTable } from './profile-table.tsx'

type ProfileListProps = {
  list: AlertList
  search: AlertsSearch
  onFind(text: string): void
}

const FIND_FROM_COUNT = 8
const STEP = 100

/** The profiles, a hundred at a time. */
export function ProfileList({ list, search, onFind }: ProfileListProps) {
  const { profiles, unreadable, days } = list
  const [limit, setLimit] = useState(STEP)
  const found = findProfiles(profiles, search.find ?? '')
  if (profiles.length === 0 && unreadable === 0) {
    return (
      <EmptyState icon="eye" title="No alert profiles yet">
        <p>
          A profile watches every new threat for your words. The builder shows what it would have caught
          before you save it.{' '}
          <DeliveryNote
            sends={list.extension !== null}
            own="What it catches is shown here, and Lantern sends it where you say."
            vendor="What it catches is shown here, and your vendor sends the messages."
          />
        </p>
        <p className="mt-3">
          <Link to="/alerts/new" className="touch font-medium text-accent hover:underline">
            Create the first profile
          </Link>
        </p>
      </EmptyState>
    )
  }
  return (
    <>
      {(profiles.length >= FIND_FROM_COUNT || search.find !== undefined) && (
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
          profiles={found.slice(0, limit)}
          period={storedDays(days, '30 days')}
          openId={search.profile}
          createdId={search.created}
          extension={list.extension}
        />
      ) : (
        <p className="px-4 py-6 text-muted text-sm">
          {profiles.length > 0 ? 'No profile contains these words.' : 'None of the profiles could be read.'}
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
        {countOf(profiles.length, 'profile')}.
        {unreadable > 0 && ` ${countOf(unreadable, 'entry', 'entries')} could not be read.`}{' '}
        <DeliveryNote
          sends={list.extension !== null}
          own="When a new threat matches, Lantern sends the messages."
          vendor="When a new threat matches, your vendor sends the messages. Its API has no way to change or delete a profile: duplicate one to make it anew."
        />
      </p>
    </>
  )
}
