import { Link } from '@tanstack/react-router'
import { count, countOf } from '#app/format/count.ts'
import { visibleLine } from '#app/format/visible-text.ts'
import { buttonLook } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { AlertProfile } from '#contract/bff/alert.ts'
import { KeywordList } from './keyword-list.tsx'
import { destinationsInWords } from './profile-destinations.tsx'

type ProfileTableProps = {
  profiles: readonly AlertProfile[]
  /** What the matches are counted in: `30 days`. */
  held: string
  /** The profile that is shown beside the list. */
  openId: string | undefined
  /** The profile that has just been made. */
  createdId: string | undefined
}

const GRID =
  'grid grid-cols-[minmax(0,1fr)_7rem] @2xl:grid-cols-[minmax(0,1fr)_7rem_6rem_7rem_8rem] @5xl:grid-cols-[minmax(0,1fr)_9rem_9rem_7rem_6rem_7rem_8rem]'
const HEAD = 'px-3 py-2 text-left font-medium'
const CELL = 'min-w-0 px-3 py-2.5'
const WIDE = '@max-5xl:hidden'
const MIDDLE = '@max-2xl:hidden'
const ROW_KEYWORDS = 6

/** All profiles of the account. What a narrow place leaves out, the profile's own part shows. */
export function ProfileTable({ profiles, held, openId, createdId }: ProfileTableProps) {
  return (
    <table className="block text-sm">
      <caption className="sr-only">Alert profiles</caption>
      <thead className="block border-line border-b text-faint text-xs">
        <tr className={GRID}>
          <th scope="col" className={`${HEAD} pl-4`}>
            Profile
          </th>
          <th scope="col" className={`${HEAD} ${WIDE}`}>
            Categories
          </th>
          <th scope="col" className={`${HEAD} ${WIDE}`}>
            Destinations
          </th>
          <th scope="col" className={`${HEAD} text-right`}>
            In {held}
          </th>
          <th scope="col" className={`${HEAD} text-right ${MIDDLE}`}>
            Triggered
          </th>
          <th scope="col" className={`${HEAD} text-right ${MIDDLE}`}>
            Created
          </th>
          <th scope="col" className={`${HEAD} pr-4 ${MIDDLE}`}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody className="block divide-y divide-line">
        {profiles.map((profile) => (
          <ProfileRow
            key={profile.id}
            profile={profile}
            isOpen={profile.id === openId}
            isNew={profile.id === createdId}
          />
        ))}
      </tbody>
    </table>
  )
}

type ProfileRowProps = { profile: AlertProfile; isOpen: boolean; isNew: boolean }

function ProfileRow({ profile, isOpen, isNew }: ProfileRowProps) {
  const { id, name, keywords, categories, destinations, triggeredCount, createdAt } = profile
  return (
    <tr
      data-marked={isOpen || isNew || undefined}
      className={`${GRID} relative hover:bg-hover data-marked:bg-accent/10 [contain-intrinsic-size:auto_4.5rem] [content-visibility:auto]`}
    >
      <td className={`${CELL} pl-4`}>
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
      </td>
      <td className={`${CELL} truncate text-muted ${WIDE}`}>
        {categories.length === 0 ? (
          'Any'
        ) : (
          <Untrusted text={categories.join(', ')} maxLength={80} clip="silent" />
        )}
      </td>
      <td className={`${CELL} truncate text-muted ${WIDE}`}>
        {destinationsInWords(destinations) || <span className="text-faint">None</span>}
      </td>
      <td className={`${CELL} text-right tabular-nums`}>
        <WindowMatches profile={profile} />
      </td>
      <td className={`${CELL} text-right tabular-nums ${MIDDLE}`}>{count(triggeredCount)}</td>
      <td className={`${CELL} text-right text-muted ${MIDDLE}`}>
        {createdAt === null ? '—' : <Time at={createdAt} show="day" />}
      </td>
      <td className={`${CELL} text-right ${MIDDLE}`}>
        <DuplicateLink profile={profile} />
      </td>
    </tr>
  )
}

function WindowMatches({ profile: { window } }: { profile: AlertProfile }) {
  if (!window) return <span className="text-faint">not known</span>
  return (
    <>
      {countOf(window.matches, 'match', 'matches')}
      <span className="block text-faint text-xs">
        {window.latestAt !== null && <Time at={window.latestAt} show="age" />}
      </span>
    </>
  )
}

/** The builder, filled in: a profile itself cannot be changed. */
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
