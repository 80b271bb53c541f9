import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { isUnknown } from '#app/api/api-error.ts'
import { storedPhrase } from '#app/features/periods/period-options.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { buttonLook } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { PartsSkeleton } from '#app/ui/parts-skeleton.tsx'
import { usePreferences } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SubjectFailure } from '#app/ui/subject-failure.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { lazyWhenIdle, whenIdle } from '#app/ui/when-idle.ts'
import type { ActorAnswer } from '#contract/bff/actor.ts'
import { periodParam, periodPhrase } from '#contract/bff/period.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { ActorFigures } from './actor-figures.tsx'
import { actorOptions } from './actor-options.ts'
import { ListingNote } from './listing-note.tsx'

// Below what a reader looks at first.
const ActorTargets = lazy(async () => {
  await whenIdle()
  const { ActorTargets } = await import('./actor-targets.tsx')
  return { default: ActorTargets }
})

const TargetsYou = lazyWhenIdle(async () => (await import('./targets-you.tsx')).TargetsYou)
const ActorFields = lazy(async () => {
  await whenIdle()
  const { ActorFields } = await import('./actor-fields.tsx')
  return { default: ActorFields }
})

type ActorViewProps = {
  name: string
  /** The name of the period that the figures are of. */
  period: string
  periodPicker: ReactNode
  /** Draws the trend of the actor's threats, by the spelling in the window. */
  renderTrend(name: string): ReactNode
  renderLatest(name: string): ReactNode
  /** Draws what is done with the threats that name it. */
  renderTools(name: string): ReactNode
  /** Draws the way to an alert profile for its new threats. */
  renderAlertMe(name: string): ReactNode
}

const TAB_MAX_LENGTH = 80

/** Shows the activity of an actor, its targets and its new threats. */
export function ActorView(props: ActorViewProps) {
  const { name, period, periodPicker, renderTrend, renderLatest, renderTools, renderAlertMe } = props
  const { countries, industries, timeZone } = usePreferences()
  const { data, error, refetch } = useQuery(
    actorOptions({ name, period }, { countries, industries }, timeZone),
  )
  if (error && !data)
    return <ActorFailure name={name} period={period} error={error} onRetry={() => refetch()} />

  const shown = data?.actor.name ?? name
  if (data?.actor.aliases.includes(name) && shown.toWellFormed() !== name) {
    return (
      <Navigate
        to="/actors/$name"
        params={{ name: shown.toWellFormed() }}
        search={{ period: periodParam(period) }}
        replace
      />
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title={visibleLine(shown).slice(0, TAB_MAX_LENGTH).trim() || 'Actor'} />
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 font-semibold text-2xl tracking-tight">
              <Untrusted text={shown} maxLength={200} clip="silent" />
            </h1>
            <Suspense fallback={null}>
              {data && <TargetsYou targeted={data.actor.targeted} phrase={periodPhrase(data.period.name)} />}
            </Suspense>
            {data && <AgeNote freshness={data.freshness} />}
          </div>
          {data && data.actor.aliases.length > 0 && (
            <p className="text-muted text-sm">
              Also known as <Untrusted text={data.actor.aliases.join(', ')} maxLength={400} />
            </p>
          )}
        </div>
        {periodPicker}
        <ActorLinks
          name={shown}
          tools={(!data || data.actor.isHeld) && renderTools(shown)}
          alertMe={renderAlertMe(shown)}
        />
      </div>
      {data ? (
        <ActorParts answer={data} trend={renderTrend(shown)} latest={renderLatest(shown)} />
      ) : (
        <PartsSkeleton label="Loading the actor…" />
      )}
    </div>
  )
}

type ActorPartsProps = { answer: ActorAnswer; trend: ReactNode; latest: ReactNode }

function ActorParts({ answer, trend, latest }: ActorPartsProps) {
  const { actor, listing } = answer
  return (
    <>
      <ActorFigures answer={answer} />
      {actor.isHeld ? (
        <>
          {trend}
          <Suspense fallback={<Skeleton className="h-80" />}>
            <ActorTargets answer={answer} />
          </Suspense>
          {latest}
        </>
      ) : (
        <p className="rounded-lg border border-line bg-surface p-4 text-muted text-sm">
          The source lists this actor, but no stored threat names it. A chart and targets appear as soon as
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

type ActorLinksProps = { name: string; tools: ReactNode; alertMe: ReactNode }

/** Actions for an actor. */
function ActorLinks({ name, tools, alertMe }: ActorLinksProps) {
  return (
    <div className="ml-auto flex flex-wrap gap-2 max-sm:ml-0">
      <Link to="/threats" search={{ actor: [name] }} className={`${buttonLook()} max-sm:h-11`}>
        View threats
      </Link>
      {tools}
      {alertMe}
    </div>
  )
}

type ActorFailureProps = { name: string; period: string; error: Error; onRetry(): void }

const NAME_MAX_LENGTH = 200

/** The page of an actor that cannot be shown. */
function ActorFailure({ name, period, error, onRetry }: ActorFailureProps) {
  const q = name.slice(0, NAME_MAX_LENGTH)
  const unknown = {
    title: 'No such actor is known',
    reason: isUnknown(error) && error.detail,
    links: (
      <>
        <Link to="/actors" search={{ q, period: periodParam(period) }}>
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
