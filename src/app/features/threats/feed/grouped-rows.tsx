import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { Grouping } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { type GroupAnswer, NAMED_GROUPS_MAX_COUNT, type ThreatList } from '#contract/bff/threat-list.ts'
import type { ThreatListScope } from '../address/threat-search.ts'
import { threatListOptions } from '../threat-options.ts'
import type { FeedLine, GroupHead } from './feed-line.ts'
import { lineUp } from './group-lines.ts'
import { threatGroupsOptions } from './group-options.ts'
import { GroupRow, type LinePlace } from './group-row.tsx'

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
