import { Link } from '@tanstack/react-router'
import { count } from '#app/format/count.ts'
import { storedDays } from '#app/format/stored-days.ts'
import { ChangeSoFar } from '#app/ui/chart/change.tsx'
import { Figure } from '#app/ui/figure.tsx'
import { Time } from '#app/ui/time.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ActorAnswer, ActorDetail } from '#contract/bff/actor.ts'

type ActorFiguresProps = {
  actor: ActorDetail
  days: ActorAnswer['days']
}

/** The numbers before the charts. */
export function ActorFigures({ actor, days }: ActorFiguresProps) {
  const { name, mentions, compared, week, victims, firstObservedAt, latestObservedAt, listedMentions } = actor
  const period = storedDays(days, '30 days')
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 sm:grid-cols-3 lg:grid-cols-6">
      <Figure
        name={`Mentions in ${period}`}
        value={
          mentions === null ? (
            count(mentions)
          ) : (
            <Link
              to="/threats"
              search={{ actor: [name], within: '30d' }}
              className="touch rounded-sm hover:underline"
            >
              {count(mentions)} <VisuallyHidden>mentions in {period}</VisuallyHidden>
            </Link>
          )
        }
        note={mentions !== null && <ChangeSoFar compared={compared} />}
      />
      <Figure
        name="In the last 7 days"
        value={
          week === null ? (
            count(null)
          ) : (
            <Link
              to="/threats"
              search={{ actor: [name], within: '7d' }}
              className="touch rounded-sm hover:underline"
            >
              {count(week.count)} <VisuallyHidden>mentions in the last 7 days</VisuallyHidden>
            </Link>
          )
        }
        note={week && <ChangeSoFar compared={week.compared} />}
      />
      <Figure
        name={`Victims in ${period}`}
        value={count(victims)}
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
      <Figure name="Mentions by the source" value={count(listedMentions)} note="in its own list" />
    </dl>
  )
}
