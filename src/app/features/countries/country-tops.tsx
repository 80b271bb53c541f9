import { Link } from '@tanstack/react-router'
import { BAR_LINK } from '#app/ui/chart/bar-list.tsx'
import { RankedCard } from '#app/ui/chart/ranked-card.tsx'
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
      <RankedCard
        title="Top actors"
        counted={window.topActors}
        freshness={freshness}
        renderLink={(name, label) => (
          <Link to="/actors/$name" params={{ name: name.toWellFormed() }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
      <RankedCard
        title="Top industries"
        counted={window.topIndustries}
        freshness={freshness}
        renderLink={(industry, label) => (
          <Link to="/threats" search={{ ...base, industry: [industry] }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
      <RankedCard
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
