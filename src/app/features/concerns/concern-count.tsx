import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listsOptions } from '#app/features/lists/list-options.ts'
import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ListKind } from '#contract/bff/list-match.ts'
import { filterOfPeriod } from '#contract/bff/period.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { CONCERNS_QUERY, type CountedSubjects, concernCountsOptions } from './concern-options.ts'

const WHOSE: Readonly<Record<ListKind, string>> = {
  own: 'your brands',
  supplier: 'your suppliers',
  customer: 'your customers',
  peer: 'your peers',
  other: 'your lists',
}
const LABEL_MAX_LENGTH = 80

type ConcernCountProps = CountedSubjects & {
  /** As threats have it: an alpha-2 code of a country. */
  value: string
  label: string
  /** Leaves the words to screen readers and a title: a row of a table has no room. */
  isShort?: boolean
}

/** Says how many claims of an actor or a country lists match, and leads to them; nothing where none. */
export function ConcernCount({ value, label, isShort = false, ...counted }: ConcernCountProps) {
  const { data } = useQuery(concernCountsOptions(counted))
  const threats = data?.values.find((one) => one.value === value)?.count ?? 0
  const { data: all } = useQuery({ ...listsOptions(), enabled: threats > 0 })
  if (threats === 0 || !all) return null
  const kinds = new Set(
    all.lists.filter(({ matched }) => matched.certain + matched.toConfirm > 0).map(({ kind }) => kind),
  )
  const [kind = 'other'] = kinds
  const words = `${threats === 1 ? 'claim concerns' : 'claims concern'} ${WHOSE[kinds.size === 1 ? kind : 'other']}`
  return (
    // Above the link of a row.
    <Link
      to="/threats"
      search={{
        [counted.name]: [value],
        ...filterOfPeriod(counted.period),
        q: CONCERNS_QUERY,
        rows: 'claims',
      }}
      title={isShort ? `${count(threats)} ${words}` : undefined}
      className="touch relative z-1 inline-flex shrink-0 rounded-sm hover:underline"
    >
      <Badge tone="danger">
        {count(threats)} {isShort ? <span className="sm:max-lg:sr-only">listed</span> : words}
        <VisuallyHidden>
          {isShort && `, ${words}`}: {visibleLine(label).slice(0, LABEL_MAX_LENGTH)}
        </VisuallyHidden>
      </Badge>
    </Link>
  )
}
