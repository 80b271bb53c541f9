import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { triageStatesOptions } from '#app/features/triage/triage-options.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { ThreatAge } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import type { Overview } from '#contract/bff/overview.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { CountedLink } from './counted-link.tsx'
import { isUnread } from './is-unread.ts'

const TITLE_MAX_LENGTH = 200
const NAME_MAX_LENGTH = 60

const ThreatMarks = lazyWhenIdle(
  async () => (await import('#app/features/triage/threat-marks.tsx')).ThreatMarks,
)

/** The newest of the worst, but for what the team has closed. */
export function CriticalThreats({ overview }: { overview: Overview }) {
  const { newestCritical, top } = overview
  const hasNothing = isUnread(overview)
  const { data } = useQuery(triageStatesOptions(newestCritical.map(({ id }) => id)))
  const states = new Map(data?.states.map((state) => [state.id, state]))
  return (
    <SectionCard
      title="Newest critical threats"
      tools={
        newestCritical.length > 0 && (
          <CountedLink
            filter={{ severity: ['critical'], triage: 'open' }}
            className="touch rounded-sm text-accent text-xs hover:underline"
          >
            All critical threats
          </CountedLink>
        )
      }
    >
      {newestCritical.length === 0 && hasNothing && (
        <EmptyState icon="clock" title="Nothing read yet">
          The worst threats appear here as Lantern reads them.
        </EmptyState>
      )}
      {newestCritical.length === 0 && !hasNothing && (
        <EmptyState icon="check" title="No critical threats">
          {top.severity.length > 0
            ? 'No stored threat is rated critical, apart from those that were closed.'
            : 'The stored threats have no severity: only the earlier API gives one.'}
        </EmptyState>
      )}
      {/* On a phone the first few: what stands below is worth a look, too. */}
      <ul className="divide-y divide-line max-sm:[&>li:nth-child(n+6)]:hidden">
        {newestCritical.map((threat) => (
          <CriticalThreat key={threat.id} threat={threat} state={states.get(threat.id)} />
        ))}
      </ul>
    </SectionCard>
  )
}

type CriticalThreatProps = { threat: Threat; state: TriageState | undefined }

function CriticalThreat({ threat, state }: CriticalThreatProps) {
  const { id, category, actors, organizations, severity, publishedAt } = threat
  const names = [organizations.at(0), actors.at(0), category].filter((name) => typeof name === 'string')
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-2 hover:bg-hover print:py-1">
      <span className="flex items-center gap-1.5">
        <Suspense fallback={null}>
          <ThreatMarks state={state} />
        </Suspense>
        <Link
          to="/threats/$id"
          params={{ id }}
          className="min-w-0 truncate font-medium text-sm outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
        >
          <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} />
        </Link>
      </span>
      <span className="flex items-center gap-x-3 text-muted text-xs">
        <SeverityMark severity={severity} />
        <span className="min-w-0 flex-1 truncate">
          {names.map((name, at) => (
            <span key={name}>
              {at > 0 && ' · '}
              <Untrusted
                text={name}
                clip="silent"
                maxLength={NAME_MAX_LENGTH}
                isProse={name === organizations[0]}
              />
            </span>
          ))}
        </span>
        <span className={publishedAt === null ? '' : 'print:hidden'}>
          <ThreatAge threat={threat} />
        </span>
        {publishedAt !== null && (
          <span className="hidden print:inline">
            <Time at={publishedAt} />
          </span>
        )}
      </span>
    </li>
  )
}
