import { Link } from '@tanstack/react-router'
import { RankedCard } from '#app/features/subject/ranked-card.tsx'
import { BAR_LINK } from '#app/ui/chart/bar-list.tsx'
import type { CountryAnswer } from '#contract/bff/country.ts'
import { periodParam } from '#contract/bff/period.ts'

type CountryTopsProps = {
  answer: CountryAnswer
  window: NonNullable<CountryAnswer['window']>
}

/** Who hits the country, which industries, and how. */
export function CountryTops({ answer, window }: CountryTopsProps) {
  const shared = { answer, figure: window, filter: { country: [window.code] } }
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <RankedCard
        title="Top actors"
        name="actor"
        counted={window.topActors}
        renderLink={(name, label) => (
          <Link
            to="/actors/$name"
            params={{ name: name.toWellFormed() }}
            search={{ period: periodParam(answer.period.name) }}
            className={BAR_LINK}
          >
            {label}
          </Link>
        )}
        {...shared}
      />
      <RankedCard title="Top industries" name="industry" counted={window.topIndustries} {...shared} />
      <RankedCard title="Categories" name="category" counted={window.categories} {...shared} />
    </div>
  )
}
