import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useMemo } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { count } from '#app/format/count.ts'
import { exactDay } from '#app/format/time.ts'
import { CountryLabel } from '#app/ui/country-label.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Grouping } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import {
  type GroupAnswer,
  groupAnswerSchema,
  NAMED_GROUPS_MAX_COUNT,
  type ThreatList,
} from '#contract/bff/threat-list.ts'
import type { ThreatListScope } from '../address/threat-search.ts'
import { threatListOptions } from '../threat-options.ts'

/** The head of a group, as a line of the list. */
export type GroupHead = {
  /** Apart from all ids of threats, and from the other heads. */
  id: string
  key: string
  label: string
  /** Null where it is not known. */
  count: number | null
  isClosed: boolean
  /** How many threats stand above it in the list. */
  above: number
}

export type FeedLine = Threat | GroupHead

/** Lines of a grouped list: heads of groups between the threats. */
export type Grouped = {
  lines: readonly FeedLine[]
  /** Null while threats are still to come. */
  lineCount: number | null
  renderHead(head: GroupHead, place: LinePlace): ReactNode
}

type GroupedRowsProps = {
  group: Grouping
  scope: ThreatListScope
  pages: readonly ThreatList[]
  threats: readonly Threat[]
  hasMore: boolean
  /** True if the pages are those of the previous search. */
  isPlaceholder: boolean
  /** Stands there until the groups are known. */
  fallback: ReactNode
  /** Stands there where there is no group. */
  empty: ReactNode
  onClose(keys: string[] | undefined): void
  children(grouped: Grouped): ReactNode
}

const NONE: GroupAnswer['groups'] = []
/** Longest sum of group names in a request, in characters. Some proxies refuse an address of 8 kB. */
const NAMES_MAX_LENGTH = 3_000

/** A list with the heads of its groups between the threats. */
export function GroupedRows(props: GroupedRowsProps) {
  const { group, scope, pages, threats, hasMore, isPlaceholder, fallback, empty, onClose, children } = props
  const queryClient = useQueryClient()
  const { closed } = scope
  const answer = useQuery(threatGroupsOptions(group, scope, pages[0]?.freshness.fetchedAt))
  const { groups = NONE, more = 0, isExact = false } = answer.data ?? {}
  // 100,000 threats take some milliseconds, and every tick of a box draws this again.
  const lines = useMemo(
    () =>
      lineUp({ pages, threats, groups, more, closed: new Set(closed), hasMore, isBetween: isPlaceholder }),
    [pages, threats, groups, more, closed, hasMore, isPlaceholder],
  )

  const toggle = ({ key, above }: GroupHead) => {
    const keys = toggleGroup(closed, key)
    const next = threatListOptions({ ...scope, closed: keys })
    const size = pages[0]?.threats.length || 1
    // As far as the head, so that it stays where it is.
    queryClient.removeQueries({ queryKey: next.queryKey, exact: true })
    queryClient.prefetchInfiniteQuery({ ...next, pages: Math.ceil(above / size) + 1 })
    onClose(keys)
  }

  if (answer.isPending) return fallback
  if (lines.length === 0) return empty
  return children({
    lines,
    lineCount: hasMore ? null : lines.length,
    renderHead: (head, place) => (
      <GroupRow
        key={head.id}
        head={head}
        group={group}
        isExact={isExact}
        noun={scope.rows === 'cases' ? 'case' : 'claim'}
        {...place}
        onToggle={() => toggle(head)}
      />
    ),
  })
}

/** Closes a group, or opens it. Of more than a request has room for, the one that was closed first opens again. */
function toggleGroup(closed: readonly string[] = [], key: string): string[] | undefined {
  const others = closed.filter((each) => each !== key)
  if (others.length < closed.length) return others.length > 0 ? others : undefined
  const keys = [...closed, key]
  while (keys.length > 1 && (keys.length > NAMED_GROUPS_MAX_COUNT || lengthOf(keys) > NAMES_MAX_LENGTH)) {
    keys.shift()
  }
  return keys
}

function lengthOf(keys: readonly string[]): number {
  return new URLSearchParams(keys.map((key) => ['closed', key])).toString().length
}

type GroupedList = {
  pages: readonly ThreatList[]
  /** Threats of all pages, each once. */
  threats: readonly Threat[]
  /** In the order of the list. */
  groups: GroupAnswer['groups']
  /** How many there are beyond these. */
  more: number
  closed: ReadonlySet<string>
  /** True while more threats can load. Then groups after the last one are unknown. */
  hasMore: boolean
  /** True if the threats are those of the previous answer, without those of a group that was opened just now. */
  isBetween: boolean
}

/**
 * The threats with the heads of their groups between them, in one walk: a look-up for each of 100,000 takes more than a frame. Groups that are closed have no threats in the list, and stand
 * in their place among the others.
 */
export function lineUp({
  pages,
  threats,
  groups,
  more,
  closed,
  hasMore,
  isBetween,
}: GroupedList): FeedLine[] {
  const lines: FeedLine[] = []
  const placeOf = new Map(groups.map(({ key }, place) => [key, place]))
  const times = new Map<string, number>()
  let above = 0
  /** The first place among the groups that is yet to be reached. */
  let next = 0
  let current: string | undefined

  const pushHead = (key: string) => {
    const group = groups[placeOf.get(key) ?? -1]
    const time = times.get(key) ?? 0
    times.set(key, time + 1)
    const content = { label: group?.label ?? key, count: group?.count ?? null }
    lines.push({ id: `\0${time} ${key}`, key, ...content, isClosed: closed.has(key), above })
  }
  /** The heads of groups without threats, up to a place. */
  const pushEmptyUpTo = (end: number) => {
    for (const { key } of groups.slice(next, end)) if (closed.has(key) || isBetween) pushHead(key)
    next = Math.max(next, end)
  }

  let at = 0
  for (const { threats: rows, groupKeys = [] } of pages) {
    for (const [row, threat] of rows.entries()) {
      // It comes again, on a later page.
      if (threat !== threats[at]) continue
      at += 1
      const key = groupKeys[row] ?? ''
      if (closed.has(key)) continue
      if (key !== current) {
        const place = placeOf.get(key)
        if (place !== undefined) {
          pushEmptyUpTo(place)
          next = Math.max(next, place + 1)
        }
        pushHead(key)
        current = key
      }
      lines.push(threat)
      above += 1
    }
  }
  if (hasMore) return lines
  pushEmptyUpTo(groups.length)
  // Closed groups behind the counted ones can be opened here.
  if (more > 0) for (const key of closed) if (!placeOf.has(key)) pushHead(key)
  return lines
}

/** The groups of a list, of data that were fetched at `fetchedAt`: requested again with the list. */
function threatGroupsOptions(name: Grouping, scope: ThreatListScope, fetchedAt: string | undefined) {
  // Groups are the same in any order of their threats, and whichever are closed.
  const { sort: _sort, order: _order, group: _group, closed: _closed, ...query } = scope
  return queryOptions({
    queryKey: ['groups', name, query, fetchedAt],
    queryFn: ({ signal }) => getJson(`groups/${name}`, groupAnswerSchema, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 'static',
  })
}

/** Position of a line of the list that is not a threat. */
type LinePlace = {
  /** Counted from 1, the heading being 1. */
  rowIndex: number
  style: CSSProperties
  onFocus(): void
}

type GroupRowProps = LinePlace & {
  head: GroupHead
  group: Grouping
  /** False if the group may have more threats than are counted. */
  isExact: boolean
  /** The list has a row for each. */
  noun: 'case' | 'claim'
  onToggle(): void
}

const NAME_MAX_LENGTH = 160
const NOT_GIVEN: Readonly<Record<Grouping, string>> = {
  day: 'No date given',
  actor: 'No actor given',
  victim: 'No victim given',
  country: 'No country given',
  category: 'No category given',
  severity: 'Not rated',
}
const CODE = /^[A-Z]{2}$/

/** The head of a group: opens and closes it. */
function GroupRow({ head, group, isExact, noun, rowIndex, style, onFocus, onToggle }: GroupRowProps) {
  return (
    <tr
      aria-rowindex={rowIndex}
      className="flex border-line border-b bg-canvas contain-content"
      style={style}
      onFocus={onFocus}
    >
      <th scope="colgroup" colSpan={8} className="flex min-w-0 flex-1 font-medium text-ink text-sm">
        <button
          type="button"
          aria-expanded={!head.isClosed}
          className="flex min-w-0 flex-1 items-center gap-2 pr-3 pl-3 text-left hover:bg-hover focus-visible:-outline-offset-2"
          onClick={onToggle}
        >
          <Icon name={head.isClosed ? 'chevron-right' : 'chevron-down'} className="size-3.5 text-muted" />
          <span className="min-w-0 truncate">
            <GroupLabel group={group} head={head} />
          </span>{' '}
          {head.count !== null && (
            <span className="shrink-0 font-normal text-muted text-xs tabular-nums">
              {count(head.count)}
              {!isExact && '+'} <span className="sr-only">{head.count === 1 ? noun : `${noun}s`}</span>
            </span>
          )}
        </button>
      </th>
    </tr>
  )
}

function GroupLabel({ group, head: { key, label } }: { group: Grouping; head: GroupHead }) {
  if (key === '') return <span className="text-muted">{NOT_GIVEN[group]}</span>
  if (group === 'day') return exactDay(key, 'UTC')
  if (group === 'severity') return <SeverityMark severity={label} />
  if (group === 'country') {
    return <CountryLabel country={{ code: CODE.test(key) ? key : null, name: label }} />
  }
  return <Untrusted text={label} clip="silent" maxLength={NAME_MAX_LENGTH} />
}
