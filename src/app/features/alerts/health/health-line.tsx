import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { explainError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useFollow } from '#app/ui/use-follow.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { type AlertHealth, alertHealthSchema, type ShownProblem } from '#contract/bff/alert-health.ts'
import { DeliveryDestination } from '../deliveries/delivery-parts.tsx'
import { HealthNote } from './health-note.tsx'

/** Says in one line if messages reach people, and below it what is broken and each destination. */
export function HealthLine() {
  const { data, error, refetch, isFetching } = useQuery(alertHealthOptions())
  const isBroken = data !== undefined && (data.problems.length > 0 || brokenOf(data).length > 0)
  return (
    <section
      aria-label="Health"
      className={`-mx-4 grid gap-1 border-y px-4 py-2 text-sm sm:mx-0 sm:rounded-lg sm:border-x ${
        isBroken ? 'border-critical/35 bg-critical/5' : 'border-line bg-surface'
      }`}
    >
      {data ? (
        <>
          <Line icon={isBroken ? 'alert' : data.lastSentAt === null ? 'info' : 'check'}>
            <Summary health={data} />
          </Line>
          {(data.destinations.length > 0 || data.problems.length > 0) && <Details health={data} />}
        </>
      ) : error ? (
        <div className="flex flex-wrap items-center gap-2">
          <p role="alert" className="text-medium">
            Health is not known: {explainError(error).message}.
          </p>
          <Button size="small" isBusy={isFetching} onClick={() => refetch()}>
            Try again
          </Button>
        </div>
      ) : (
        <div role="status">
          <VisuallyHidden>Loading the health of alerts…</VisuallyHidden>
          <Skeleton className="h-5 w-64 max-w-full" />
        </div>
      )}
    </section>
  )
}

type LineProps = {
  /** A check mark means that a message has arrived. */
  icon: 'alert' | 'check' | 'info'
  children: ReactNode
}

function Line({ icon, children }: LineProps) {
  return (
    <p className="flex items-start gap-2">
      <Icon
        name={icon}
        className={`mt-0.5 size-4 shrink-0 ${icon === 'alert' ? 'text-critical' : 'text-faint'}`}
      />
      <span className="wrap-anywhere min-w-0">{children}</span>
    </p>
  )
}

const BROKEN: ReadonlySet<string> = new Set(['ended', 'unopenable', 'failing', 'late'])

function brokenOf({ destinations }: AlertHealth) {
  return destinations.filter(({ health }) => BROKEN.has(health.state))
}

function Summary({ health }: { health: AlertHealth }) {
  const { problems, lastSentAt, destinationCount } = health
  const [problem, ...others] = problems
  const [broken, ...moreBroken] = brokenOf(health)
  if (problem)
    return (
      <>
        <ProblemName problem={problem} />
        {others.length > 0 && `, and ${countOf(others.length, 'more problem')}`}.{' '}
        <ProblemLink path={problem.path} />
      </>
    )
  if (broken)
    return (
      <>
        Not working: <DeliveryDestination {...broken} />
        {broken.health.since !== null && (
          <>
            {' '}
            (since <Time at={broken.health.since} />)
          </>
        )}
        {moreBroken.length > 0 && ` and ${countOf(moreBroken.length, 'more destination')}`}.{' '}
        {broken.profiles[0] && (
          <ProblemLink path={`/alerts?profile=${encodeURIComponent(broken.profiles[0].id)}`} />
        )}
      </>
    )
  if (lastSentAt === null)
    return destinationCount === 0
      ? 'No message has been sent yet.'
      : 'No message has been sent yet. Test a recipient to see that it works.'
  return (
    <>
      All channels working, last message <Time at={lastSentAt} show="age" />.
    </>
  )
}

function ProblemName({ problem: { subject, since } }: { problem: ShownProblem }) {
  return (
    <>
      <span className="font-medium">
        <Untrusted text={subject} maxLength={160} clip="silent" dir="ltr" />
      </span>
      {since !== null && (
        <>
          {' '}
          (began <Time at={since} show="age" />)
        </>
      )}
    </>
  )
}

function ProblemLink({ path }: { path: string }) {
  const follow = useFollow()
  const { data: session } = useQuery(sessionOptions())
  // Viewers have no ledger to look into.
  if (session?.user.role === 'viewer' && path.startsWith('/alerts/deliveries')) return null
  return (
    <a href={path} onClick={follow} className="touch font-medium text-accent hover:underline">
      {path.startsWith('/alerts/deliveries') ? 'View deliveries' : 'View'}
    </a>
  )
}

function Details({ health: { problems, destinations, destinationCount } }: { health: AlertHealth }) {
  return (
    <details>
      <summary className="w-fit rounded-sm text-muted text-xs hover:text-ink max-sm:py-2">
        {countOf(destinationCount, 'destination')}
      </summary>
      {problems.length > 0 && (
        <ul aria-label="Problems" className="grid gap-2 py-2">
          {problems.map((problem) => (
            <li key={`${problem.kind} ${problem.subject}`} className="wrap-anywhere">
              <ProblemName problem={problem} />
              <span className="block text-muted text-xs">
                <Untrusted text={problem.text} maxLength={800} clip="silent" isProse dir="ltr" />{' '}
                <ProblemLink path={problem.path} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <ul aria-label="Destinations" className="divide-y divide-line">
        {destinations.map(({ channel, destination, health, profiles }) => (
          <li key={`${channel} ${destination} ${profiles[0]?.id}`} className="wrap-anywhere py-1.5">
            <DeliveryDestination channel={channel} destination={destination} />
            <span className="text-faint text-xs">
              {profiles.map(({ id, name }) => (
                <span key={id}>
                  {' · '}
                  <Untrusted text={name} maxLength={80} clip="silent" />
                </span>
              ))}
            </span>
            <HealthNote health={health} />
          </li>
        ))}
      </ul>
      {destinationCount > destinations.length && (
        <p className="text-faint text-xs">
          {countOf(destinationCount - destinations.length, 'more destination')}.
        </p>
      )}
    </details>
  )
}

const POLL_MS = 60_000

/** Free. Read again with the profiles, and by itself each minute, which must not prolong the session. */
function alertHealthOptions() {
  return queryOptions({
    queryKey: ['alert-profiles', 'health'],
    queryFn: ({ signal }) => getJson('alerts/health', alertHealthSchema, { background: true, signal }),
    refetchInterval: POLL_MS,
  })
}
