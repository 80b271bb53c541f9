import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ConcernBadge } from '#app/features/concerns/concern-badge.tsx'
import { AgeNote } from '#app/ui/age-note.tsx'
import { CountryLabel } from '#app/ui/country-label.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ThreatAge } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useIsSeen } from '#app/ui/use-is-seen.ts'
import type { RelatedThreats as Related, Relation } from '#contract/bff/threat-list.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { relatedThreatsOptions } from '../threat-options.ts'
import { ThreatSection } from './threat-section.tsx'

type RelatedThreatsProps = { id: string; set: RouteSet | undefined }

const RELATION_NAMES: Readonly<Record<Relation, string>> = {
  actor: 'Same actor',
  victim: 'Same victim',
  country: 'Same country',
}
const TITLE_MAX_LENGTH = 200

/** Requested when the reader comes near. */
export function RelatedThreats({ id, set }: RelatedThreatsProps) {
  const { ref, isSeen } = useIsSeen<HTMLDivElement>()
  const { data, error, refetch } = useQuery({ ...relatedThreatsOptions(id, set), enabled: isSeen })
  return (
    <div ref={ref}>
      <ThreatSection title="Related threats" note={data && <AgeNote freshness={data.freshness} />}>
        {error && (
          <div className="p-4">
            <ErrorPanel error={error} onRetry={() => refetch()} />
          </div>
        )}
        {!data && !error && <RelatedSkeleton />}
        {data && data.groups.length === 0 && (
          <p className="px-4 py-3 text-muted text-sm">
            The record names no actor, victim or country to look for.
          </p>
        )}
        {data && (
          <div className="divide-y divide-line">
            {data.groups.map((group) => (
              <RelatedGroup key={`${group.relation} ${group.value}`} group={group} set={set} />
            ))}
          </div>
        )}
      </ThreatSection>
    </div>
  )
}

type RelatedGroupProps = { group: Related['groups'][number]; set: RouteSet | undefined }

function RelatedGroup({ group: { relation, value, threats }, set }: RelatedGroupProps) {
  return (
    <section className="px-4 py-3">
      <h3 className="mb-1 text-xs">
        <span className="font-medium text-faint">{RELATION_NAMES[relation]}</span>{' '}
        <span className="font-medium">
          {relation === 'country' ? (
            <CountryLabel country={{ code: value, name: value }} />
          ) : (
            <Untrusted text={value} maxLength={80} clip="silent" isProse={relation === 'victim'} />
          )}
        </span>
      </h3>
      {threats.length === 0 && <p className="text-muted text-sm">No others found.</p>}
      <ul>
        {threats.map((threat) => (
          <li
            key={threat.id}
            className="relative -mx-2 grid grid-cols-[5.5rem_minmax(0,1fr)_auto] items-center gap-2 rounded-md px-2 py-1 text-sm hover:bg-hover"
          >
            <SeverityMark severity={threat.severity} isDerived={threat.isSeverityDerived} />
            <Link
              to="/threats/$id"
              params={{ id: threat.id }}
              search={{ set }}
              className="truncate font-medium after:absolute after:inset-0"
            >
              <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} />
            </Link>
            <span className="flex items-center gap-2 text-muted text-xs">
              <ConcernBadge concerns={threat.concerns} />
              <ThreatAge threat={threat} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function RelatedSkeleton() {
  return (
    <div className="grid gap-3 px-4 py-4">
      <Skeleton className="h-3 w-40" />
      <Skeleton className="h-3 w-4/5" />
      <Skeleton className="h-3 w-3/5" />
    </div>
  )
}
