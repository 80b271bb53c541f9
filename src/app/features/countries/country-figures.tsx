import { Link } from '@tanstack/react-router'
import { count } from '#app/format/count.ts'
import { storedDays } from '#app/format/stored-days.ts'
import { ChangeSoFar } from '#app/ui/chart/change.tsx'
import { Figure } from '#app/ui/figure.tsx'
import { Time } from '#app/ui/time.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { CountryAnswer } from '#contract/bff/country.ts'

type CountryFiguresProps = {
  window: NonNullable<CountryAnswer['window']>
  days: CountryAnswer['days']
}

/** The numbers before the charts. */
export function CountryFigures({ window, days }: CountryFiguresProps) {
  const { code, threats, compared, actors, victims, latestAt } = window
  const period = storedDays(days, '30 days')
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 sm:grid-cols-4">
      <Figure
        name={`Threats in ${period}`}
        value={
          <Link
            to="/threats"
            search={{ country: [code], within: '30d' }}
            className="touch rounded-sm hover:underline"
          >
            {count(threats)} <VisuallyHidden>threats in {period}</VisuallyHidden>
          </Link>
        }
        note={<ChangeSoFar compared={compared} />}
      />
      <Figure name={`Actors in ${period}`} value={count(actors)} note="distinct names" />
      <Figure
        name={`Victims in ${period}`}
        value={count(victims)}
        note={victims === 0 && threats > 0 ? 'no threat names one' : 'distinct organisations'}
      />
      <Figure
        name="Latest threat"
        value={<Time at={latestAt} show="age" />}
        note={latestAt !== null && <Time at={latestAt} />}
      />
    </dl>
  )
}
