import { Link } from '@tanstack/react-router'
import { count, countOf } from '#app/format/count.ts'
import { buttonLook } from '#app/ui/button.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { AlertList, AlertProfile } from '#contract/bff/alert.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { DeliverySummary } from './delivery-summary.tsx'
import { KeywordList } from './keyword-list.tsx'
import { destinationsInWords } from './profile-destinations.tsx'

type ProfileTableProps = {
  profiles: readonly AlertProfile[]
  /** What the matches are counted in: `30 days`. */
  period: string
  /** The profile that is shown beside the list. */
  openId: string | undefined
  /** The profile that has just been made. */
  createdId: string | undefined
  /** Null where the source sends its own messages, and tells nothing of them. */
  extension: AlertList['extension']
}

const GRID =
  'grid grid-cols-[minmax(0,1fr)_7rem] @2xl:grid-cols-[minmax(0,1fr)_7rem_6rem_7rem_8rem] @5xl:grid-cols-[minmax(0,1fr)_9rem_9rem_7rem_6rem_7rem_8rem]'
const WIDE = '@max-5xl:hidden'
const MIDDLE = '@max-2xl:hidden'
const ROW_KEYWORDS = 6

/** All profiles of the account. What a narrow page leaves out, the profile's own part shows. */
export function ProfileTable({ profiles, period, openId, createdId, extension }: ProfileTableProps) {
  return (
    <DataTable
      caption="Alert profiles"
      columns={profileColumns(period, extension)}
      rows={profiles}
      rowKey={({ id }) => id}
      grid={GRID}
      className="text-sm [&_td:first-child]:pl-4 [&_td]:min-w-0 [&_td]:px-3 [&_td]:py-2.5 [&_th:first-child]:pl-4 [&_th]:px-3 [&_th]:py-2"
      rowLook={({ id }) =>
        `relative [contain-intrinsic-size:auto_4.5rem] [content-visibility:auto] ${id === openId || id === createdId ? 'bg-accent/10' : 'hover:bg-hover'}`
      }
    />
  )
}

function profileColumns(period: string, extension: AlertList['extension']): Column<AlertProfile>[] {
  return [
    {
      key: 'profile',
      head: 'Profile',
      cell: (profile) => <ProfileName profile={profile} extension={extension} />,
    },
    {
      key: 'categories',
      head: 'Categories',
      className: WIDE,
      cellClassName: 'truncate text-muted',
      cell: ({ categories }) =>
        categories.length === 0 ? (
          'Any'
        ) : (
          <Untrusted text={categories.join(', ')} maxLength={80} clip="silent" />
        ),
    },
    {
      key: 'destinations',
      head: 'Destinations',
      className: WIDE,
      cellClassName: 'truncate text-muted',
      cell: ({ destinations }) =>
        destinationsInWords(destinations) || <span className="text-faint">None</span>,
    },
    {
      key: 'matches',
      head: `In ${period}`,
      align: 'right',
      cellClassName: 'tabular-nums',
      cell: (profile) => <WindowMatches profile={profile} />,
    },
    {
      key: 'triggered',
      head: 'Triggered',
      align: 'right',
      className: MIDDLE,
      cellClassName: 'tabular-nums',
      cell: ({ triggeredCount }) => count(triggeredCount),
    },
    {
      key: 'created',
      head: 'Created',
      align: 'right',
      className: MIDDLE,
      cellClassName: 'text-muted',
      cell: ({ createdAt }) => (createdAt === null ? '—' : <Time at={createdAt} show="day" />),
    },
    {
      key: 'actions',
      head: <VisuallyHidden>Actions</VisuallyHidden>,
      align: 'right',
      className: MIDDLE,
      cell: (profile) => <DuplicateLink profile={profile} />,
    },
  ]
}

type ProfileNameProps = { profile: AlertProfile; extension: AlertList['extension'] }

function ProfileName({ profile: { id, name, keywords, destinations }, extension }: ProfileNameProps) {
  const summary = extension?.deliveries[id]
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
      <KeywordList keywords={keywords} maxCount={ROW_KEYWORDS} />
      {summary && (summary.state === 'paused' || destinationsInWords(destinations) !== '') && (
        <span className="mt-1 block">
          <DeliverySummary summary={summary} cause={{ profile: id }} hasLedger />
        </span>
      )}
    </>
  )
}

function WindowMatches({ profile: { window } }: { profile: AlertProfile }) {
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

/** The builder, filled in with what another profile says. */
export function DuplicateLink({ profile: { id, name } }: { profile: AlertProfile }) {
  return (
    <Link
      to="/alerts/new"
      search={{ from: id }}
      aria-label={`Duplicate ${visibleLine(name)}`}
      className={`relative z-1 ${buttonLook({ size: 'small' })}`}
    >
      <Icon name="copy" className="size-3.5" />
      Duplicate
    </Link>
  )
}

export function focusProfileLink(id: string): void {
  document.getElementById(profileLinkId(id))?.focus()
}

function profileLinkId(id: string): string {
  return `profile-${id}`
}
