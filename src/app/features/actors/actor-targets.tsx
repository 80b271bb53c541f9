import { Link } from '@tanstack/react-router'
import { countryName } from '#app/format/country-name.ts'
import { BAR_LINK } from '#app/ui/chart/bar-list.tsx'
import { RankedCard } from '#app/ui/chart/ranked-card.tsx'
import { Flag } from '#app/ui/flag.tsx'
import type { ActorDetail } from '#contract/bff/actor.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type ActorTargetsProps = {
  actor: ActorDetail
  /** The first day that is counted: links lead to exactly what a bar counts. */
  from: string | undefined
  freshness: Freshness
}

/** Whom the actor hits, and how. */
export function ActorTargets({ actor, from, freshness }: ActorTargetsProps) {
  const { name, countries, industries, categories } = actor
  const base: ThreatFilter = { actor: [name], from }
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <RankedCard
        title="Targeted countries"
        counted={countries}
        freshness={freshness}
        labelOf={countryName}
        renderLink={(code, label) => (
          <span className="flex min-w-0 items-center gap-2">
            <Flag code={code} />
            <Link to="/threats" search={{ ...base, country: [code] }} className={BAR_LINK}>
              {label}
            </Link>
          </span>
        )}
      />
      <RankedCard
        title="Targeted industries"
        counted={industries}
        freshness={freshness}
        renderLink={(industry, label) => (
          <Link to="/threats" search={{ ...base, industry: [industry] }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
      <RankedCard
        title="Categories"
        counted={categories}
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
