import { Link } from '@tanstack/react-router'
import { isStored, storedShort } from '#app/features/periods/period-options.ts'
import { count, countOf } from '#app/format/count.ts'
import { rowsOf, shownComparison } from '#app/format/counted-rows.ts'
import { ChangeSoFar } from '#app/ui/chart/change.tsx'
import { Figure } from '#app/ui/figure.tsx'
import { Time } from '#app/ui/time.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { CountryAnswer } from '#contract/bff/country.ts'
import { filterOfPeriod } from '#contract/bff/period.ts'
import { threatsOf } from './sort-countries.ts'

type CountryFiguresProps = {
  answer: CountryAnswer
  window: NonNullable<CountryAnswer['window']>
}

/** The numbers before the charts. */
export function CountryFigures({ answer, window }: CountryFiguresProps) {
  const { code, threats, cases, compared, actors, victims, latestAt } = window
  const nouns = cases === undefined ? 'claims' : 'cases'
  const period = storedShort(answer)
  // A figure that is not stored is unknown, not zero.
  const isKnown = isStored(answer)
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 sm:grid-cols-4">
      <Figure
        name={`${nouns === 'cases' ? 'Cases' : 'Claims'} in ${period}`}
        value={
          isKnown ? (
            <Link
              to="/threats"
              search={{ country: [code], ...filterOfPeriod(answer.period), ...rowsOf(window) }}
              className="touch rounded-sm hover:underline"
            >
              {count(threatsOf(window))}{' '}
              <VisuallyHidden>
                {nouns} in {period}
              </VisuallyHidden>
            </Link>
          ) : (
            count(null)
          )
        }
        note={
          isKnown && (
            <>
              <ChangeSoFar compared={shownComparison(compared)} isRunning={answer.period.isRunning} />
              {cases !== undefined && countOf(threats, 'claim')}
            </>
          )
        }
      />
      <Figure name={`Actors in ${period}`} value={count(isKnown ? actors : null)} note="distinct names" />
      <Figure
        name={`Victims in ${period}`}
        value={count(isKnown ? victims : null)}
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
