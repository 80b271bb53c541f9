import type { ReactNode } from 'react'
import { type CountedRows, shownCount } from '#app/format/counted-rows.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { BarList } from './bar-list.tsx'

type RankedCardProps = {
  title: string
  /** The most frequent first. */
  counted: readonly (CountedRows<number> & { value: string })[]
  /** The unit of the counts. */
  noun: 'case' | 'claim'
  /** In what they were counted: `the last 30 days`, and shorter. */
  phrases: { long: string; short: string; isStored: boolean }
  labelOf?(value: string): ReactNode
  renderLink(value: string, label: ReactNode): ReactNode
}

const SHOWN_MAX_COUNT = 10

/** Values by how many of the stored threats name them. */
export function RankedCard({ title, counted, noun, phrases, labelOf = inert, renderLink }: RankedCardProps) {
  const rows = counted.slice(0, SHOWN_MAX_COUNT).map(({ value, ...figure }) => ({
    key: value,
    label: labelOf(value),
    count: shownCount(figure),
  }))
  const more = counted.length - rows.length
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
          {phrases.isStored
            ? `Not given by any threat of ${phrases.long}.`
            : `Nothing of ${phrases.long} is stored.`}
        </p>
      ) : (
        <BarList
          label={`${title}, ${noun}s in ${phrases.short}`}
          rows={rows}
          renderLink={({ key, label }) => renderLink(key, label)}
        />
      )}
    </SectionCard>
  )
}

function inert(value: string): ReactNode {
  return <Untrusted text={value} clip="silent" maxLength={80} />
}
