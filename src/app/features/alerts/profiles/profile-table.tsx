import { Link } from '@tanstack/react-router'
import { count, countOf } from '#app/format/count.ts'
import { IconButton } from '#app/ui/button.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { Popover } from '#app/ui/popover.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { AlertProfile } from '#contract/bff/alert.ts'
import type { Recipient } from '#contract/bff/recipient.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { scheduleInWords } from '../schedule-words.ts'
import { DeliverySummary } from './delivery-summary.tsx'
import { FilterFaultsNote } from './filter-faults-note.tsx'
import { KeywordList } from './keyword-list.tsx'
import { ProfileActions } from './profile-actions.tsx'
import { destinationsInWords } from './profile-destinations.tsx'
import { type ProfileRow, termsOf } from './profile-row.ts'

type ProfileTableProps = {
  rows: readonly ProfileRow[]
  /** Period in which matches are counted: `30 days`. */
  period: string
  /** The profile that is shown beside the list. */
  openId: string | undefined
  /** The profile that has just been made. */
  createdId: string | undefined
  /** Viewers have no ledger to look into, and create nothing. */
  isViewer: boolean
}

const GRID =
  'grid grid-cols-[minmax(0,1fr)_7rem_3.25rem] @2xl:grid-cols-[minmax(0,1fr)_8rem_6rem_7rem_4rem] @5xl:grid-cols-[minmax(0,1fr)_8rem_12rem_8rem_6rem_7rem_4rem]'
const WIDE = '@max-5xl:hidden'
const MIDDLE = '@max-2xl:hidden'
const ROW_KEYWORDS = 6

/** All profiles, wherever they run. What a narrow page leaves out, the profile's own part shows. */
export function ProfileTable({ rows, period, openId, createdId, isViewer }: ProfileTableProps) {
  return (
    <DataTable
      caption="Alert profiles"
      columns={profileColumns(period, isViewer)}
      rows={rows}
      rowKey={({ profile }) => profile.id}
      grid={GRID}
      className="text-sm [&_td:first-child]:pl-4 [&_td]:min-w-0 [&_td]:px-3 [&_td]:py-2.5 [&_th:first-child]:pl-4 [&_th]:px-3 [&_th]:py-2"
      rowLook={({ profile: { id } }) =>
        `relative [contain-intrinsic-size:auto_4.5rem] [content-visibility:auto] ${id === openId || id === createdId ? 'bg-accent/10' : 'hover:bg-hover'}`
      }
    />
  )
}

function profileColumns(period: string, isViewer: boolean): Column<ProfileRow>[] {
  return [
    {
      key: 'profile',
      head: 'Profile',
      cell: (row) => <ProfileName row={row} hasLedger={!isViewer} />,
    },
    {
      key: 'home',
      head: 'Runs in',
      className: WIDE,
      cellClassName: 'truncate text-muted',
      cell: homeInWords,
    },
    {
      key: 'recipients',
      head: 'Recipients',
      className: WIDE,
      cellClassName: 'truncate text-muted',
      cell: (row) => recipientsInWords(row) || <span className="text-faint">None</span>,
    },
    {
      key: 'matches',
      head: `In ${period}`,
      align: 'right',
      cellClassName: 'tabular-nums',
      cell: ({ runsIn, profile }) =>
        runsIn === 'lantern' && profile.isShift ? '—' : <StoredMatches window={profile.window} />,
    },
    {
      key: 'triggered',
      head: 'Triggered',
      align: 'right',
      className: MIDDLE,
      cellClassName: 'tabular-nums',
      cell: (row) => (row.runsIn === 'vendor' ? count(row.profile.triggeredCount) : '—'),
    },
    {
      key: 'created',
      head: 'Created',
      align: 'right',
      className: MIDDLE,
      cellClassName: 'text-muted',
      cell: ({ profile: { createdAt } }) => (createdAt === null ? '—' : <Time at={createdAt} show="day" />),
    },
    {
      key: 'actions',
      head: <VisuallyHidden>Actions</VisuallyHidden>,
      align: 'right',
      cellClassName: '@max-2xl:px-1!',
      cell: (row) => !isViewer && <RowMenu row={row} />,
    },
  ]
}

/** Our own service says how its profiles' messages go, a vendor does not. */
function homeInWords({ runsIn, summary }: ProfileRow): string {
  if (runsIn === 'lantern') return 'Lantern'
  return summary === null ? 'Vendor account' : 'Own service'
}

/** Which kinds of recipients a profile has. */
function recipientsInWords(row: ProfileRow): string {
  if (row.runsIn === 'vendor') return destinationsInWords(row.profile.destinations)
  const { recipients } = row.profile
  const countBy = (channel: Recipient['channel']) =>
    recipients.filter((one) => one.channel === channel).length
  const kinds = [
    countBy('user') > 0 && countOf(countBy('user'), 'user'),
    countBy('email') > 0 && countOf(countBy('email'), 'email'),
    countBy('slack') > 0 && 'Slack',
    countBy('teams') > 0 && 'Teams',
    countBy('webhook') > 0 && 'webhook',
  ]
  return kinds.filter((kind) => kind !== false).join(', ')
}

function ProfileName({ row, hasLedger }: { row: ProfileRow; hasLedger: boolean }) {
  const { runsIn, summary, profile } = row
  const { id, name } = profile
  return (
    <>
      <Link
        id={profileLinkId(id)}
        to="/alerts"
        search={({ find }) => ({ find, profile: id })}
        resetScroll={false}
        className="mb-1 block scroll-mt-24 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
      >
        {name.trim() === '' ? (
          <i className="text-muted">Profile without a name</i>
        ) : (
          <Untrusted text={name} maxLength={120} clip="silent" />
        )}
      </Link>
      <KeywordList keywords={termsOf(row)} maxCount={ROW_KEYWORDS} />
      {runsIn === 'lantern' && profile.owner?.isMe !== true && (
        <span className="mt-1 block text-faint text-xs">
          {profile.owner ? (
            <>
              By <Untrusted text={profile.owner.name} maxLength={80} clip="silent" />
            </>
          ) : (
            'By the admins'
          )}
        </span>
      )}
      {runsIn === 'lantern' && profile.schedule.kind !== 'atOnce' && (
        <span className="mt-1 block text-faint text-xs">
          {scheduleInWords(profile.schedule, profile.timeZone)}
        </span>
      )}
      {runsIn === 'lantern' && <FilterFaultsNote profile={profile} />}
      {summary && (summary.state === 'paused' || recipientsInWords(row) !== '') && (
        <span className="mt-1 block">
          <DeliverySummary summary={summary} profileId={id} hasLedger={hasLedger} />
        </span>
      )}
    </>
  )
}

function StoredMatches({ window }: { window: AlertProfile['window'] }) {
  if (!window) return <span className="text-faint">not available</span>
  return (
    <>
      {countOf(window.matches, 'match', 'matches')}
      <span className="block text-faint text-xs">
        {window.latestAt !== null && <Time at={window.latestAt} show="age" />}
      </span>
    </>
  )
}

function RowMenu({ row }: { row: ProfileRow }) {
  return (
    <Popover
      label={`Actions for ${visibleLine(row.profile.name)}`}
      align="end"
      className="max-w-80 p-3"
      renderTrigger={(trigger) => (
        <IconButton
          icon="more"
          label={`Actions for ${visibleLine(row.profile.name)}`}
          className="relative z-1 max-sm:size-11"
          {...trigger}
        />
      )}
    >
      <ProfileActions row={row} />
    </Popover>
  )
}

export function focusProfileLink(id: string): void {
  document.getElementById(profileLinkId(id))?.focus()
}

function profileLinkId(id: string): string {
  return `profile-${id}`
}
