import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MakeList } from '#app/features/concerns/make-list.tsx'
import { searchOfList } from '#app/features/lists/list-options.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { profileOptions } from '#app/features/settings/profile-options.ts'
import { count, countOf } from '#app/format/count.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { ThreatAge } from '#app/ui/threat-date.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Concerns } from '#contract/bff/overview.ts'
import { CountedLink } from './counted-link.tsx'

const TITLE_MAX_LENGTH = 200
const NAME_MAX_LENGTH = 60
const LINK = 'touch rounded-sm text-accent hover:underline'

/**
 * New threats that lists of names match, before all other figures; without a list, one line leads to making one. A person
 * whose first sign-in led to another page is offered the welcome page here.
 */
export function ConcernsUs({ concerns }: { concerns: Concerns | null }) {
  const { data: session } = useQuery(sessionOptions())
  const { data: profile, isPending } = useQuery(profileOptions())
  const welcome = profile?.hasSeenWelcome === false && (
    <p className="text-muted text-sm">
      Lantern can show what concerns you.{' '}
      <Link to="/welcome" className={LINK}>
        Set your time zone and interests
      </Link>
    </p>
  )
  if (!concerns) {
    if (welcome) return welcome
    // Until it is known which line stands here.
    if (isPending) return <div className="h-5" />
    // Viewers make no lists.
    if (session?.user.role === 'viewer') return null
    return <MakeList />
  }
  const { since, lists, newest } = concerns
  const matched = lists.filter(({ certain, toConfirm }) => certain + toConfirm > 0)
  return (
    <>
      <SectionCard
        title="Concerns us"
        note={
          <span className="text-faint text-xs">
            claims since <Time at={since} />
          </span>
        }
        tools={
          <CountedLink filter={{ q: 'list:*' }} className={`${LINK} text-xs`}>
            All that concern us
          </CountedLink>
        }
      >
        {matched.length === 0 && (
          <p className="px-4 py-3 text-muted text-sm">
            No new threat matches {countOf(lists.length, 'list')}.
          </p>
        )}
        <ul className="flex flex-wrap gap-x-6 gap-y-1 px-4 py-2 text-sm empty:hidden">
          {matched.map((list) => (
            <li key={list.id}>
              <CountedLink filter={{ q: searchOfList(list, lists), since }} rows="claims" className={LINK}>
                <Untrusted text={list.name} maxLength={NAME_MAX_LENGTH} clip="silent" />
              </CountedLink>{' '}
              {count(list.certain)} certain, {count(list.toConfirm)} to confirm
            </li>
          ))}
        </ul>
        <ul className="divide-y divide-line">
          {newest.map(({ threat, entryId, entryName, certainty }) => (
            <li
              key={`${threat.id} ${entryId}`}
              className="relative flex flex-wrap items-center gap-x-3 px-4 py-1.5 text-sm hover:bg-hover"
            >
              <Link
                to="/threats/$id"
                params={{ id: threat.id }}
                className="min-w-0 truncate font-medium after:absolute after:inset-0"
              >
                <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} />
              </Link>
              <span className="text-muted text-xs">
                <Untrusted text={entryName} maxLength={NAME_MAX_LENGTH} clip="silent" />
                {certainty === 'certain' ? ' · certain' : ' · to confirm'} · <ThreatAge threat={threat} />
              </span>
            </li>
          ))}
        </ul>
      </SectionCard>
      {welcome}
    </>
  )
}
