import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { countOf } from '#app/format/count.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import type { Grouping } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { GroupAnswer, ThreatList } from '#contract/bff/threat-list.ts'
import type { ChangeSearch } from './change-search.ts'
import { type ClosedGroups, closedTest, countUnlisted, hasRoom, toggleGroup } from './closed-groups.ts'
import type { FeedLine, GroupHead } from './feed-line.ts'
import { lineUp } from './group-lines.ts'
import { threatGroupsOptions } from './group-options.ts'
import { GroupRow, type LinePlace } from './group-row.tsx'
import { threatListOptions } from './threat-options.ts'
import { listScopeOf, type ThreatSearch } from './threat-search.ts'

/** What a list draws in the place of its threats alone. */
export type Grouped = {
  lines: readonly FeedLine[]
  /** Null while threats are still to come. */
  lineCount: number | null
  renderHead(head: GroupHead, place: LinePlace): ReactNode
}

type GroupedRowsProps = {
  group: Grouping
  search: ThreatSearch
  pages: readonly ThreatList[]
  threats: readonly Threat[]
  hasMore: boolean
  /** Whether the pages are those of the search before. */
  isPlaceholder: boolean
  /** Stands there until the groups are known. */
  fallback: ReactNode
  /** Stands there where there is no group. */
  empty: ReactNode
  onChange: ChangeSearch
  children(grouped: Grouped): ReactNode
}

const NONE: GroupAnswer['groups'] = []

/** A list with the heads of its groups between the threats. */
export function GroupedRows(props: GroupedRowsProps) {
  const { group, search, pages, threats, hasMore, isPlaceholder, fallback, empty, onChange, children } = props
  const queryClient = useQueryClient()
  const timeZone = useTimeZone()
  const { closed, groups: folded, open } = search
  const scope = listScopeOf(search, timeZone)
  const answer = useQuery(threatGroupsOptions(group, scope, pages[0]?.freshness.fetchedAt))
  const { groups = NONE, more = 0, isExact = false } = answer.data ?? {}
  // 100,000 threats take some milliseconds, and every tick of a box draws this again.
  const lines = useMemo(() => {
    const isClosed = closedTest({ closed, groups: folded, open })
    return lineUp({ pages, threats, groups, isClosed, hasMore, isBetween: isPlaceholder })
  }, [pages, threats, groups, closed, folded, open, hasMore, isPlaceholder])

  const toggle = ({ key, above }: GroupHead) => {
    const change = (before: ClosedGroups) => toggleGroup(before, key)
    const next = threatListOptions(listScopeOf({ ...search, ...change(search) }, timeZone))
    const size = pages[0]?.threats.length || 1
    // As far as the head, so that it stays where it is.
    queryClient.removeQueries({ queryKey: next.queryKey, exact: true })
    queryClient.prefetchInfiniteQuery({ ...next, pages: Math.ceil(above / size) + 1 })
    onChange(change, { replace: true, keepScroll: true })
  }

  if (answer.isPending) return fallback
  if (lines.length === 0) return empty
  const isFull = !hasRoom(search)
  const isAllBut = folded !== undefined
  const unlisted = hasMore ? 0 : countUnlisted(search, { groups, more })
  return (
    <>
      {children({
        lines,
        lineCount: hasMore ? null : lines.length,
        renderHead: (head, place) => (
          <GroupRow
            key={head.id}
            {...{ head, group, isExact }}
            {...place}
            stuckAs={isFull && head.isClosed === isAllBut ? (isAllBut ? 'closed' : 'open') : null}
            onToggle={() => toggle(head)}
          />
        ),
      })}
      {unlisted > 0 && (
        <p className="px-4 pt-4 pb-2 text-center text-muted text-xs">
          {countOf(unlisted, 'more group')} {unlisted === 1 ? 'is' : 'are'} closed and not listed here: open
          all groups, or narrow the list.
        </p>
      )}
    </>
  )
}
