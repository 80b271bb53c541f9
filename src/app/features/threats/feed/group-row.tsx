import type { CSSProperties } from 'react'
import { count } from '#app/format/count.ts'
import { exactDay } from '#app/format/time.ts'
import { Icon } from '#app/ui/icon.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Grouping } from '#contract/bff/arrangement.ts'
import { CountryLabel } from '../country-label.tsx'
import type { GroupHead } from './feed-line.ts'

/** Position of a line of the list that is not a threat. */
export type LinePlace = {
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
export function GroupRow({ head, group, isExact, rowIndex, style, onFocus, onToggle }: GroupRowProps) {
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
              {!isExact && '+'} <span className="sr-only">{head.count === 1 ? 'threat' : 'threats'}</span>
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
