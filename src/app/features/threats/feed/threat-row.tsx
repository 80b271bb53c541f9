import { Link } from '@tanstack/react-router'
import { type MouseEventHandler, memo, type ReactNode } from 'react'
import { ConcernBadge } from '#app/features/concerns/concern-badge.tsx'
import { NearDue } from '#app/features/triage/near-due.tsx'
import { ThreatMarks } from '#app/features/triage/threat-marks.tsx'
import { Absent } from '#app/ui/absent.tsx'
import { CountryLabel } from '#app/ui/country-label.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { ThreatAge } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useFollow } from '#app/ui/use-follow.ts'
import type { Column } from '#contract/bff/arrangement.ts'
import { hasPage, pathSegment } from '#contract/bff/path-segment.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ListedThreat, ThreatFilter } from '#contract/bff/threat-list.ts'
import { acceptsTriage, type TriageFilter } from '#contract/bff/triage-filter.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { ROW_LAYOUT, type RowLayout } from './row-grid.ts'
import { CardNote, CaseNote, SecondLine } from './row-notes.tsx'

type ThreatRowProps = {
  threat: ListedThreat
  /** Counted from 1, the heading being 1. */
  rowIndex: number
  /** Distance from the top of the rows, in pixels; null where it stands below the row before it. */
  top: number | null
  isSelected: boolean
  /** The team's state of the threat. */
  state: TriageState | undefined
  /** Actions of the row. Only the row with the pointer or the focus has them. */
  tools: ReactNode
  /** With no more than its title and its age, while it rushes by. */
  isLight: boolean
  list: ThreatRowList
}

/**
 * Values that all rows of a list share. The object must keep its identity: rows are drawn again only when a prop
 * changes.
 */
type ThreatRowList = {
  /** The filter of the list. Values that it names are listed first. */
  filter: ThreatFilter
  layout: RowLayout
  /** True if rows are cards: the whole card is one link, and its actions are in a menu. */
  isCard: boolean
  /** The popover that a card's button opens; undefined for readers who may do nothing. */
  menuId: string | undefined
  actions: ThreatRowActions
}

export type ThreatRowActions = {
  focus(id: string): void
  /** Null when the pointer has left the row. */
  point(id: string | null): void
  select(id: string): void
  /** All rows from the one that was ticked last. */
  selectThrough(id: string): void
  open(id: string): void
}

const TEXT_MAX_LENGTH = 300
const NAME_MAX_LENGTH = 120
const LINE = 'min-w-0 truncate self-center'

/**
 * Two lines on every screen, or one in a compact list. The link covers the row, but for its checkbox.
 * Memoised, because drawing every row again for each three that come into sight took most of a frame.
 */
export const ThreatRow = memo(function ThreatRow(props: ThreatRowProps) {
  const { threat, rowIndex, top, isSelected, state, tools, isLight, list } = props
  const { filter, layout, isCard, menuId, actions } = list
  const { id } = threat
  const follow = useFollow()
  const facts = { threat, filter, isCard, isShort: isLight || layout.isCompact, onFollow: follow }
  const isGone = isUnmatched(filter.triage, state)
  const isNoteInTitle = layout.isCompact || (isCard && layout !== ROW_LAYOUT)
  const own = isLight ? undefined : threat.case
  const note = own && <CaseNote of={own} news={state?.news} isShort={isNoteInTitle} />
  const due = isLight ? undefined : state?.due
  const isNoteInCard = own !== undefined && isCard && !isNoteInTitle
  const isDone = isGone || Boolean(state?.read ?? state?.closed)
  return (
    <tr
      aria-rowindex={rowIndex}
      data-selected={isSelected || undefined}
      className={`${layout.grid} group relative h-[var(--row,3.5rem)] print:static! print:h-auto contain-content border-line border-b py-2 text-sm hover:bg-hover data-selected:bg-accent/10`}
      style={top === null ? undefined : { position: 'absolute', insetInline: 0, top }}
      onFocus={() => actions.focus(id)}
      // Not on entering: rows that are scrolled below a resting pointer would each draw their tools.
      onPointerMove={({ pointerType }) => pointerType === 'mouse' && actions.point(id)}
      onPointerLeave={() => actions.point(null)}
    >
      <td className="relative z-1 -my-2 grid [grid-area:check]">
        <label className="grid place-items-center">
          <input
            type="checkbox"
            className="size-4"
            checked={isSelected}
            aria-label={`Select row ${rowIndex - 1}`}
            onChange={({ nativeEvent }) => {
              const isThrough = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey
              return isThrough ? actions.selectThrough(id) : actions.select(id)
            }}
          />
        </label>
      </td>
      {layout.cells.map(({ name, area, look }) => {
        if (name !== 'title') {
          if (isLight && name !== 'published') return null
          return (
            <td
              key={name}
              // A card has no room for one of several groups beside their number.
              className={`${LINE} ${area} ${name === 'actor' && isNoteInCard && own.actorCount > 1 ? 'sr-only' : (look ?? '')}`}
            >
              {name === 'category' && isCard && !isNoteInTitle ? (
                <CardNote due={due} note={note}>
                  {renderFact(name, facts)}
                </CardNote>
              ) : (
                renderFact(name, facts)
              )}
            </td>
          )
        }
        return (
          <td key={name} className={`min-w-0 self-center ${area}`}>
            <span className="flex items-center gap-1.5 print:flex-wrap">
              {!isLight && <ThreatMarks state={state} isUnmatched={isGone} />}
              <Link
                id={rowLinkId(id)}
                to="/threats/$id"
                params={{ id }}
                data-done={isDone || undefined}
                className="block min-h-0 min-w-0 scroll-mt-32 scroll-mb-16 truncate font-medium outline-none data-done:font-normal data-done:text-muted after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
                onClick={(event) => {
                  actions.open(id)
                  follow(event)
                }}
              >
                <ThreatTitle threat={threat} maxLength={TEXT_MAX_LENGTH} />
              </Link>
              {isNoteInTitle && due && (
                <span className="max-w-1/2 shrink-0 truncate text-xs">
                  <NearDue due={due} />
                </span>
              )}
              {!isLight && <ConcernBadge concerns={threat.concerns} isShort />}
              {threat.foundIn && <FullTextMark />}
              {isNoteInTitle && note}
            </span>
            {!facts.isShort && (
              <SecondLine threat={threat} state={state}>
                {isCard ? undefined : note}
              </SecondLine>
            )}
          </td>
        )
      })}
      {menuId !== undefined && !isLight && (
        <td className="relative z-1 -my-2 -mr-3 -ml-2 grid @2xl:hidden [grid-area:more]">
          <button
            type="button"
            popoverTarget={menuId}
            aria-haspopup="menu"
            aria-label={`Actions for row ${rowIndex - 1}`}
            className="grid w-9 place-items-center text-muted focus-visible:-outline-offset-2"
            // Not every browser gives the focus to a button that is pressed.
            onClick={() => actions.focus(id)}
          >
            <Icon name="more" />
          </button>
        </td>
      )}
      {tools && (
        // Wide enough to cover the time.
        <td className="absolute inset-y-0 right-0 z-1 @max-2xl:hidden flex w-44 items-center justify-end bg-hover pr-2 opacity-0 focus-within:opacity-100 group-hover:opacity-100">
          <span className="flex rounded-md border border-line bg-raised px-0.5 shadow-raised">{tools}</span>
        </td>
      )}
    </tr>
  )
})

/** Nothing that the row shows holds what was searched for. */
function FullTextMark() {
  return (
    <span className="shrink-0 rounded-sm border border-line bg-hover px-1.5 text-2xs text-muted">
      <span className="@max-2xl:sr-only">found in the </span>full text
    </span>
  )
}

/** False where the row is not drawn: then nothing happens. */
export function focusThreatRow(id: string, options?: FocusOptions): boolean {
  const link = document.getElementById(rowLinkId(id))
  link?.focus(options)
  return link !== null
}

function rowLinkId(id: string): string {
  // An attribute's value for one element has no spaces.
  return `threat-${encodeURIComponent(id)}`
}

type RowFacts = {
  threat: Threat
  /** Values that the filter names are listed first. */
  filter: ThreatFilter
  isCard: boolean
  /** With no more than fits into one line. */
  isShort: boolean
  onFollow: MouseEventHandler<HTMLAnchorElement>
}

/** Returns the content of a threat's cell. */
function renderFact(column: Column, facts: RowFacts): ReactNode {
  const { threat, filter, isCard, onFollow } = facts
  const { actors, organizations, countries, industries, category, redacted } = threat
  const name = (text: string) => <Untrusted text={text} clip="silent" maxLength={NAME_MAX_LENGTH} />
  switch (column) {
    case 'severity':
      return <SeverityMark severity={threat.severity} isDerived={threat.isSeverityDerived} />
    case 'actor':
      return (
        <FirstOf values={actors} isFiltered={(actor) => filter.actor?.includes(actor) ?? false}>
          {(actor) => (
            <RowLink path="actors" value={actor} isPlain={isCard} onClick={onFollow}>
              {name(actor)}
            </RowLink>
          )}
        </FirstOf>
      )
    case 'victim':
      return (
        <FirstOf values={organizations} isWithheld={redacted.includes('organizations')}>
          {(victim) => <Untrusted text={victim} clip="silent" maxLength={NAME_MAX_LENGTH} isProse />}
        </FirstOf>
      )
    case 'country':
      return (
        <FirstOf
          values={countries}
          isFiltered={({ code }) => code !== null && (filter.country?.includes(code) ?? false)}
        >
          {(country) => {
            const label = <CountryLabel country={country} className="@max-2xl:sr-only" />
            if (country.code === null) return label
            return (
              <RowLink path="countries" value={country.code} isPlain={isCard} onClick={onFollow}>
                {label}
              </RowLink>
            )
          }}
        </FirstOf>
      )
    case 'published':
      return <Published {...facts} />
    default:
      return (
        <FirstOf values={column === 'industry' ? industries : [category].filter((given) => given !== null)}>
          {name}
        </FirstOf>
      )
  }
}

function Published({ threat, isShort }: RowFacts) {
  const { publishedAt, dateText } = threat
  return (
    <>
      <ThreatAge threat={threat} />
      {!isShort && (
        <span className="@max-2xl:hidden block truncate text-2xs text-faint">
          {publishedAt !== null && <Time at={publishedAt} />}
          {dateText !== undefined && (
            <span>
              given as “<Untrusted text={dateText} clip="silent" maxLength={NAME_MAX_LENGTH} />”
            </span>
          )}
        </span>
      )}
    </>
  )
}

type FirstOfProps<T> = {
  values: readonly T[]
  /** A value of the filter stands first. */
  isFiltered?(value: T): boolean
  isWithheld?: boolean
  children(value: T): ReactNode
}

/** One of several values, and how many more there are. */
function FirstOf<T>({ values, isFiltered = () => false, isWithheld = false, children }: FirstOfProps<T>) {
  const first = values.find(isFiltered) ?? values[0]
  if (first === undefined) return <Absent isWithheld={isWithheld} isShort />
  if (values.length === 1) return children(first)
  return (
    <span className="inline-flex max-w-full gap-1 align-bottom">
      <span className="min-w-0 truncate">{children(first)}</span>{' '}
      <span className="text-faint">+{values.length - 1}</span>
    </span>
  )
}

type RowLinkProps = {
  path: 'actors' | 'countries'
  value: string
  /** On phones the whole row is one link. */
  isPlain: boolean
  onClick: MouseEventHandler<HTMLAnchorElement>
  children: ReactNode
}

/**
 * Leads from a cell of a row to the page of what it names. Plain, because the router's own link, twice in each row, takes
 * too much of a frame while scrolling.
 */
function RowLink({ path, value, isPlain, onClick, children }: RowLinkProps) {
  if (isPlain || !hasPage(value)) return children
  const href = `/${path}/${pathSegment(value)}`
  return (
    <a
      href={href}
      onClick={onClick}
      className="relative z-1 decoration-edge underline-offset-2 hover:underline @max-2xl:pointer-events-none"
    >
      {children}
    </a>
  )
}

/**
 * Returns true if the team has done something since the answer that removes a threat from the list. An unknown state
 * removes nothing.
 */
export function isUnmatched(filter: TriageFilter | undefined, state: TriageState | undefined): boolean {
  if (!filter || !state) return false
  const { read, starred, closed, owner, due } = state
  return !acceptsTriage(filter, {
    isRead: read !== null,
    isStarred: starred !== null,
    isClosed: closed !== null,
    isMine: owner?.isMe ?? false,
    // By the server's clock: only what people do takes a case from the list.
    isOverdue: due !== undefined,
  })
}
