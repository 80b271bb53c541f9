import type { ReactNode } from 'react'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { BarList } from './bar-list.tsx'

type RankedCardProps = {
  title: string
  /** The most frequent first. */
  counted: readonly { value: string; count: number }[]
  /** In what they were counted: `the last 30 days`, and shorter. */
  phrases: { long: string; short: string; isStored: boolean }
  labelOf?(value: string): ReactNode
  renderLink(value: string, label: ReactNode): ReactNode
}

const SHOWN_MAX_COUNT = 10

/** Values by how many of the stored threats name them. */
export function RankedCard({ title, counted, phrases, labelOf = inert, renderLink }: RankedCardProps) {
  const rows = counted.slice(0, SHOWN_MAX_COUNT).map(({ value, count }) => ({
    key: value,
    label: labelOf(value),
    count,
  }))
  const more = counted.length - rows.length
  return (
    <SectionCard title={title} note={more > 0 && <span className="text-faint text-xs">and {more} more</span>}>
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">
          {phrases.isStored
            ? `Not given by any threat of ${phrases.long}.`
            : `Nothing of ${phrases.long} is stored.`}
        </p>
      ) : (
        <BarList
          label={`${title}, threats in ${phrases.short}`}
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
