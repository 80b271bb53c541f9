import { Link } from '@tanstack/react-router'
import { storedShort } from '#app/features/periods/period-options.ts'
import { count, countOf } from '#app/format/count.ts'
import { rowNoun, rowsOf, shownComparison, shownCount } from '#app/format/counted-rows.ts'
import { ChangeSoFar } from '#app/ui/chart/change.tsx'
import { Figure } from '#app/ui/figure.tsx'
import { Time } from '#app/ui/time.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ActorAnswer } from '#contract/bff/actor.ts'
import { filterOfPeriod } from '#contract/bff/period.ts'

/** The numbers before the charts. */
export function ActorFigures({ answer }: { answer: ActorAnswer }) {
  const { actor, period: of } = answer
  const { name, mentions, compared, week, victims, firstObservedAt, latestObservedAt, listedMentions } = actor
  const figure = { count: mentions, cases: actor.cases }
  const shown = shownCount(figure)
  const nouns = `${rowNoun(figure)}s`
  const Nouns = rowNoun(figure) === 'case' ? 'Cases' : 'Claims'
  const period = storedShort(answer)
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 sm:grid-cols-3 lg:grid-cols-6">
      <Figure
        name={`${Nouns} in ${period}`}
        value={
          shown === null ? (
            count(shown)
          ) : (
            <Link
              to="/threats"
              search={{ actor: [name], ...filterOfPeriod(of), ...rowsOf(figure) }}
              className="touch rounded-sm hover:underline"
            >
              {count(shown)}{' '}
              <VisuallyHidden>
                {nouns} in {period}
              </VisuallyHidden>
            </Link>
          )
        }
        note={
          shown !== null && (
            <>
              <ChangeSoFar compared={shownComparison(compared)} isRunning={of.isRunning} />
              {actor.cases !== undefined && countOf(mentions, 'claim')}
            </>
          )
        }
      />
      <Figure
        name={`${Nouns} in the last 7 days`}
        value={
          week === null ? (
            count(null)
          ) : (
            <Link
              to="/threats"
              search={{ actor: [name], within: '7d', ...rowsOf(week) }}
              className="touch rounded-sm hover:underline"
            >
              {count(shownCount(week))} <VisuallyHidden>{nouns} in the last 7 days</VisuallyHidden>
            </Link>
          )
        }
        note={week && <ChangeSoFar compared={shownComparison(week.compared)} />}
      />
      <Figure
        name={`Victims in ${period}`}
        value={count(mentions === null ? null : victims)}
        note={victims === 0 && mentions ? 'no threat names one' : 'distinct organisations'}
      />
      <Figure
        name="Latest observation"
        value={<Time at={latestObservedAt} show="age" />}
        note={latestObservedAt !== null && <Time at={latestObservedAt} />}
      />
      <Figure
        name="First seen"
        value={<Time at={firstObservedAt} show="age" />}
        note={firstObservedAt !== null && 'of the stored threats'}
      />
      <Figure name="Claims reported by vendor" value={count(listedMentions)} />
    </dl>
  )
}
