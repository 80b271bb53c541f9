import { Link } from '@tanstack/react-router'
import { storedPhrases } from '#app/features/periods/period-options.ts'
import { rowNoun, rowsOf } from '#app/format/counted-rows.ts'
import { BAR_LINK } from '#app/ui/chart/bar-list.tsx'
import { RankedCard } from '#app/ui/chart/ranked-card.tsx'
import type { CountryAnswer } from '#contract/bff/country.ts'
import { filterOfPeriod, periodParam } from '#contract/bff/period.ts'

type CountryTopsProps = {
  answer: CountryAnswer
  window: NonNullable<CountryAnswer['window']>
}

/** Who hits the country, which industries, and how. */
export function CountryTops({ answer, window }: CountryTopsProps) {
  const { period } = answer
  const base = { country: [window.code], ...filterOfPeriod(period), ...rowsOf(window) }
  const phrases = storedPhrases(answer)
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <RankedCard
        title="Top actors"
        counted={window.topActors}
        phrases={phrases}
        noun={rowNoun(window)}
        renderLink={(name, label) => (
          <Link
            to="/actors/$name"
            params={{ name: name.toWellFormed() }}
            search={{ period: periodParam(period.name) }}
            className={BAR_LINK}
          >
            {label}
          </Link>
        )}
      />
      <RankedCard
        title="Top industries"
        counted={window.topIndustries}
        phrases={phrases}
        noun={rowNoun(window)}
        renderLink={(industry, label) => (
          <Link to="/threats" search={{ ...base, industry: [industry] }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
      <RankedCard
        title="Categories"
        counted={window.categories}
        phrases={phrases}
        noun={rowNoun(window)}
        renderLink={(category, label) => (
          <Link to="/threats" search={{ ...base, category: [category] }} className={BAR_LINK}>
            {label}
          </Link>
        )}
      />
    </div>
  )
}
