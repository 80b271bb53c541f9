import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Counted, isStored, storedPhrase, storedShort } from '#app/features/periods/period-options.ts'
import { type CountedRows, rowNoun, rowsOf, shownCount } from '#app/format/counted-rows.ts'
import { countryName } from '#app/format/country-name.ts'
import { BAR_LINK, BarList } from '#app/ui/chart/bar-list.tsx'
import { Flag } from '#app/ui/country-label.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { filterOfPeriod } from '#contract/bff/period.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type RankedCardProps = {
  title: string
  /** The most frequent first. */
  counted: readonly (CountedRows<number> & { value: string })[]
  /** In what they were counted. */
  answer: Counted
  /** The figure of the subject: it has `cases` where cases are counted. */
  figure: { cases?: unknown }
  /** The filter of the subject, which links narrow to a value of this name. */
  filter: ThreatFilter
  name: 'actor' | 'country' | 'industry' | 'category'
  renderLink?(value: string, label: ReactNode): ReactNode
}

const SHOWN_MAX_COUNT = 10

/** Values by how many of the stored threats name them, with links to these threats. */
export function RankedCard({ title, counted, answer, figure, filter, name, renderLink }: RankedCardProps) {
  const noun = rowNoun(figure)
  const rows = counted.slice(0, SHOWN_MAX_COUNT).map(({ value, ...count }) => ({
    key: value,
    label: name === 'country' ? countryName(value) : <Untrusted text={value} clip="silent" maxLength={80} />,
    count: shownCount(count),
  }))
  const more = counted.length - rows.length
  const linkToThreats = (value: string, label: ReactNode) => (
    <span className="flex min-w-0 items-center gap-2">
      {name === 'country' && <Flag code={value} />}
      <Link
        to="/threats"
        search={{ ...filter, ...filterOfPeriod(answer.period), ...rowsOf(figure), [name]: [value] }}
        className={BAR_LINK}
      >
        {label}
      </Link>
    </span>
  )
  return (
    <SectionCard
      title={title}
      note={
        <span className="text-faint text-xs">
          {noun}s{more > 0 && `, and ${more} more`}
        </span>
      }
    >
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">
          {isStored(answer)
            ? `Not given by any threat of ${storedPhrase(answer)}.`
            : `Nothing of ${storedPhrase(answer)} is stored.`}
        </p>
      ) : (
        <BarList
          label={`${title}, ${noun}s in ${storedShort(answer)}`}
          rows={rows}
          renderLink={({ key, label }) => (renderLink ?? linkToThreats)(key, label)}
        />
      )}
    </SectionCard>
  )
}
