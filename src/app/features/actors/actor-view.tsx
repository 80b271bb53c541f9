import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { isUnknown } from '#app/api/api-error.ts'
import { casesOf } from '#app/features/concerns/cases-of.ts'
import { storedPhrase, storedShort } from '#app/features/periods/period-options.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { useRows } from '#app/features/periods/use-rows.ts'
import { CountFigure } from '#app/features/subject/count-figure.tsx'
import {
  PARTS_HEIGHTS,
  type Subject,
  SubjectFrame,
  SubjectLatest,
  SubjectPage,
  SubjectTrend,
} from '#app/features/subject/subject-page.tsx'
import { count, countOf } from '#app/format/count.ts'
import { shownComparison, shownCount } from '#app/format/counted-rows.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { ChangeSoFar } from '#app/ui/chart/change.tsx'
import { Figure } from '#app/ui/figure.tsx'
import { LoadingParts } from '#app/ui/loaded-part.tsx'
import { usePreferences, useTimeZone } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SubjectFailure } from '#app/ui/subject-failure.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import type { ActorAnswer } from '#contract/bff/actor.ts'
import { filterOfPeriod, periodParam } from '#contract/bff/period.ts'
import { actorOptions } from './actor-options.ts'
import { ListingNote } from './listing-note.tsx'

// Below what a reader looks at first.
const ActorTargets = lazyWhenIdle(async () => (await import('./actor-targets.tsx')).ActorTargets)

const ConcernsYou = lazyWhenIdle(
  async () => (await import('#app/features/concerns/concerns-you.tsx')).ConcernsYou,
)
const ConcernCount = lazyWhenIdle(
  async () => (await import('#app/features/concerns/concern-count.tsx')).ConcernCount,
)
const ActorFields = lazyWhenIdle(async () => (await import('./actor-targets.tsx')).ActorFields)

type ActorViewProps = {
  /** As the address has it: a name, or an alias. */
  name: string
}

const TEXT_MAX_LENGTH = 200
const LIST = { to: '/actors', title: 'Actors' } as const

/** Shows the activity of an actor, its targets and its new threats. */
export function ActorView({ name }: ActorViewProps) {
  const period = usePeriod()
  const { countries, industries, timeZone } = usePreferences()
  const { data, error, refetch } = useQuery(
    actorOptions({ name, period: period.name, rows: useRows() }, { countries, industries }, timeZone),
  )
  if (error && !data) {
    return (
      <SubjectFrame list={LIST}>
        <ActorFailure name={name} error={error} onRetry={() => refetch()} />
      </SubjectFrame>
    )
  }
  const shown = data?.actor.name ?? name
  if (data?.actor.aliases.includes(name) && shown.toWellFormed() !== name) {
    return (
      <Navigate
        to="/actors/$name"
        params={{ name: shown.toWellFormed() }}
        search={{ period: periodParam(period.name) }}
        replace
      />
    )
  }
  const subject = { name: shown, filter: { actor: [shown] }, fileName: 'actor-by-day' }
  return (
    <SubjectPage
      list={LIST}
      title={shown}
      heading={<ActorHeading name={shown} answer={data} />}
      subject={subject}
      hasThreats={!data || data.actor.isHeld}
    >
      {data ? (
        <ActorParts answer={data} subject={subject} />
      ) : (
        <LoadingParts label="Loading the actor…" heights={PARTS_HEIGHTS} />
      )}
    </SubjectPage>
  )
}

type ActorHeadingProps = { name: string; answer: ActorAnswer | undefined }

function ActorHeading({ name, answer }: ActorHeadingProps) {
  const timeZone = useTimeZone()
  return (
    <div className="grid min-w-0 gap-1">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="min-w-0 font-semibold text-2xl tracking-tight">
          <Untrusted text={name} maxLength={200} clip="silent" />
        </h1>
        <Suspense fallback={null}>
          {answer && (
            <ConcernsYou
              concerns={answer.actor.concerns}
              threats={answer.actor.mentions}
              cases={casesOf(answer.actor)}
              period={answer.period}
              filter={{ actor: [name] }}
            />
          )}
          {answer && (
            <ConcernCount
              name="actor"
              value={name}
              label={name}
              text={name.slice(0, TEXT_MAX_LENGTH).toWellFormed()}
              period={answer.period}
              timeZone={timeZone}
            />
          )}
        </Suspense>
        {answer && <AgeNote freshness={answer.freshness} />}
      </div>
      {answer && answer.actor.aliases.length > 0 && (
        <p className="text-muted text-sm">
          Also known as <Untrusted text={answer.actor.aliases.join(', ')} maxLength={400} />
        </p>
      )}
    </div>
  )
}

type ActorPartsProps = { answer: ActorAnswer; subject: Subject }

function ActorParts({ answer, subject }: ActorPartsProps) {
  const { actor, listing } = answer
  return (
    <>
      <ActorFigures answer={answer} />
      {actor.isHeld ? (
        <>
          <SubjectTrend subject={subject} />
          <Suspense fallback={<Skeleton className="h-80" />}>
            <ActorTargets answer={answer} />
          </Suspense>
          <SubjectLatest subject={subject} />
        </>
      ) : (
        <p className="rounded-lg border border-line bg-surface p-4 text-muted text-sm">
          The vendor lists this actor, but no stored threat names it. A chart and targets appear as soon as
          one does.
        </p>
      )}
      <Suspense fallback={null}>
        <ActorFields actor={actor} />
      </Suspense>
      <ListingNote listing={listing} phrase={storedPhrase(answer)} />
    </>
  )
}

type ActorFailureProps = { name: string; error: Error; onRetry(): void }

const NAME_MAX_LENGTH = 200

/** The page of an actor that cannot be shown. */
function ActorFailure({ name, error, onRetry }: ActorFailureProps) {
  const q = name.slice(0, NAME_MAX_LENGTH)
  const unknown = {
    title: 'No such actor is known',
    reason: isUnknown(error) && error.detail,
    links: (
      <>
        <Link to="/actors" search={{ q, period: periodParam(usePeriod().name) }}>
          Look for a similar name
        </Link>
        <Link to="/threats" search={{ q }}>
          Search the threats
        </Link>
      </>
    ),
  }
  return (
    <SubjectFailure
      name={name}
      noun="Actor"
      error={error}
      unknown={isUnknown(error) ? unknown : null}
      onRetry={onRetry}
    />
  )
}

/** The numbers before the charts. */
function ActorFigures({ answer }: { answer: ActorAnswer }) {
  const { actor, period: of } = answer
  const { name, mentions, compared, week, victims, firstObservedAt, latestObservedAt, listedMentions } = actor
  const figure = { count: mentions, cases: actor.cases }
  const period = storedShort(answer)
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 sm:grid-cols-3 lg:grid-cols-6">
      <CountFigure
        shown={shownCount(figure)}
        counted={figure}
        time={`in ${period}`}
        filter={{ actor: [name], ...filterOfPeriod(of) }}
        note={
          <>
            <ChangeSoFar compared={shownComparison(compared)} isRunning={of.isRunning} />
            {actor.cases !== undefined && countOf(mentions, 'claim')}
          </>
        }
      />
      <CountFigure
        shown={week && shownCount(week)}
        counted={figure}
        time="in the last 7 days"
        filter={{ actor: [name], within: '7d' }}
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
