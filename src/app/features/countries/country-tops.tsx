import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { heldDays } from '#app/format/held-days.ts'
import { BAR_LINK, BarList } from '#app/ui/chart/bar-list.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { CountryAnswer } from '#contract/bff/country.ts'
import type { Freshness } from '#contract/bff/freshness.ts'

type CountryTopsProps = {
  window: NonNullable<CountryAnswer['window']>
  /** The first day that is counted: links lead to exactly what a bar counts. */
  from: string | undefined
  freshness: Freshness
}

/** Who hits the country, which industries, and how. */
export function CountryTops({ window, from, freshness }: CountryTopsProps) {
  const base = { country: [window.code], from }
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <Part
        title="Top actors"
        counted={window.topActors}
        freshness={freshness}
        renderLink={(name, label) => (
          <Link to="/actors/$name" params={{ name: name.toWellFormed() }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
      <Part
        title="Top industries"
        counted={window.topIndustries}
        freshness={freshness}
        renderLink={(industry, label) => (
          <Link to="/threats" search={{ ...base, industry: [industry] }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
      <Part
        title="Categories"
        counted={window.categories}
        freshness={freshness}
        renderLink={(category, label) => (
          <Link to="/threats" search={{ ...base, category: [category] }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
    </div>
  )
}

type PartProps = {
  title: string
  counted: CountryTopsProps['window']['topActors']
  freshness: Freshness
  renderLink(value: string, label: ReactNode): ReactNode
}

function Part({ title, counted, freshness, renderLink }: PartProps) {
  const rows = counted.map(({ value, count }) => ({
    key: value,
    label: <Untrusted text={value} clip="silent" maxLength={80} />,
    count,
  }))
  return (
    <SectionCard title={title}>
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">Not told by any threat of {heldDays(freshness)}.</p>
      ) : (
        <BarList
          label={`${title}, threats in ${heldDays(freshness, '30 days')}`}
          rows={rows}
          renderLink={({ key, label }) => renderLink(key, label)}
        />
      )}
    </SectionCard>
  )
}
