import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { count, countOf } from '#app/format/count.ts'
import { storedDays } from '#app/format/stored-days.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { AlertProfile } from '#contract/bff/alert.ts'
import { profileMatchesOptions } from './alert-options.ts'
import { KeywordList } from './keyword-list.tsx'
import { MatchItem } from './match-item.tsx'
import { ProfileDestinations } from './profile-destinations.tsx'
import { ProfileExplainer } from './profile-explainer.tsx'
import { DuplicateLink, focusProfileLink } from './profile-table.tsx'

type ProfilePanelProps = {
  profile: AlertProfile
  /** The threat that the profile is asked about. */
  threatId: string | undefined
  onExplain(threatId: string): void
}

/** All of one profile: what it says, what it matched, and why it did not match. Takes the focus, and gives it back. */
export function ProfilePanel({ profile, threatId, onExplain }: ProfilePanelProps) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    panel.current?.focus()
    return () => focusProfileLink(profile.id)
  }, [profile.id])

  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Profile"
      className="grid min-w-0 scroll-mt-16 gap-4 outline-none"
    >
      <SectionCard
        title={<Untrusted text={profile.name} maxLength={120} clip="silent" />}
        tools={
          <>
            <DuplicateLink profile={profile} />
            <CloseLink />
          </>
        }
      >
        <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-2.5 px-4 py-3 text-sm">
          <Fact name="Keywords">
            <KeywordList keywords={profile.keywords} />
          </Fact>
          <Fact name="Categories">
            {profile.categories.length === 0 ? 'Any' : <KeywordList keywords={profile.categories} />}
          </Fact>
          <Fact name="Destinations">
            <ProfileDestinations destinations={profile.destinations} />
          </Fact>
          <Fact name="Triggered">
            {profile.triggeredCount === null ? '—' : countOf(profile.triggeredCount, 'time')}
          </Fact>
          <Fact name="Created">{profile.createdAt === null ? '—' : <Time at={profile.createdAt} />}</Fact>
        </dl>
      </SectionCard>
      <ProfileExplainer
        key={`${profile.id} ${threatId}`}
        profile={profile}
        threatId={threatId}
        onExplain={onExplain}
      />
      <ProfileMatches id={profile.id} />
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint text-xs leading-5">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

function CloseLink() {
  return (
    <Link
      to="/alerts"
      search={({ find }) => ({ find })}
      resetScroll={false}
      title="Close"
      className="inline-grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
    >
      <Icon name="x" />
      <VisuallyHidden>Close</VisuallyHidden>
    </Link>
  )
}

function ProfileMatches({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(profileMatchesOptions(id, useTimeZone()))
  return (
    <SectionCard
      title="Matches in stored threats"
      note={data && <AgeNote freshness={data.freshness} />}
      tools={
        data &&
        data.total > data.matches.length && (
          <span className="text-faint text-xs tabular-nums">
            the newest {count(data.matches.length)} of {count(data.total)}
          </span>
        )
      }
    >
      {error && !data && (
        <div className="p-4">
          <ErrorPanel error={error} onRetry={() => refetch()} />
        </div>
      )}
      {!data && !error && (
        <div role="status" className="grid gap-4 p-4">
          <VisuallyHidden>Loading the matches…</VisuallyHidden>
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-12 w-full" />
        </div>
      )}
      {data?.matches.length === 0 && (
        <p className="px-4 py-3 text-muted text-sm">
          Nothing in {storedDays(data.freshness)} matches this profile.
        </p>
      )}
      {data && data.matches.length > 0 && (
        <ul className="divide-y divide-line">
          {data.matches.map(({ threat, keywords }) => (
            <MatchItem key={`${threat.set} ${threat.id}`} threat={threat} keywords={keywords} />
          ))}
        </ul>
      )}
    </SectionCard>
  )
}
