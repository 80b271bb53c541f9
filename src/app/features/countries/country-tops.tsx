import { Link } from '@tanstack/react-router'
import { BAR_LINK } from '#app/ui/chart/bar-list.tsx'
import { RankedCard } from '#app/ui/chart/ranked-card.tsx'
import type { CountryAnswer } from '#contract/bff/country.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type CountryTopsProps = {
  window: NonNullable<CountryAnswer['window']>
  days: CountryAnswer['days']
}

/** Who hits the country, which industries, and how. */
export function CountryTops({ window, days }: CountryTopsProps) {
  const base: ThreatFilter = { country: [window.code], within: '30d' }
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <RankedCard
        title="Top actors"
        counted={window.topActors}
        days={days}
        renderLink={(name, label) => (
          <Link to="/actors/$name" params={{ name: name.toWellFormed() }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
      <RankedCard
        title="Top industries"
        counted={window.topIndustries}
        days={days}
        renderLink={(industry, label) => (
          <Link to="/threats" search={{ ...base, industry: [industry] }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
      <RankedCard
        title="Categories"
        counted={window.categories}
        days={days}
        renderLink={(category, label) => (
          <Link to="/threats" search={{ ...base, category: [category] }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
    </div>
  )
}
