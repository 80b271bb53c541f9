import { Link } from '@tanstack/react-router'
import { storedPhrases } from '#app/features/periods/period-options.ts'
import { rowNoun, rowsOf } from '#app/format/counted-rows.ts'
import { countryName } from '#app/format/country-name.ts'
import { BAR_LINK } from '#app/ui/chart/bar-list.tsx'
import { RankedCard } from '#app/ui/chart/ranked-card.tsx'
import { Flag } from '#app/ui/flag.tsx'
import type { ActorAnswer } from '#contract/bff/actor.ts'
import { filterOfPeriod } from '#contract/bff/period.ts'

/** Whom the actor hits, and how. */
export function ActorTargets({ answer }: { answer: ActorAnswer }) {
  const { name, countries, industries, categories } = answer.actor
  const base = { actor: [name], ...filterOfPeriod(answer.period), ...rowsOf(answer.actor) }
  const phrases = storedPhrases(answer)
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <RankedCard
        title="Targeted countries"
        counted={countries}
        phrases={phrases}
        noun={rowNoun(answer.actor)}
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
        phrases={phrases}
        noun={rowNoun(answer.actor)}
        renderLink={(industry, label) => (
          <Link to="/threats" search={{ ...base, industry: [industry] }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
      <RankedCard
        title="Categories"
        counted={categories}
        phrases={phrases}
        noun={rowNoun(answer.actor)}
        renderLink={(category, label) => (
          <Link to="/threats" search={{ ...base, category: [category] }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
    </div>
  )
}
