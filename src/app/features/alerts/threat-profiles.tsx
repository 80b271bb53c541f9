import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { buttonLook } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ThreatProfiles as Answer } from '#contract/bff/alert.ts'
import type { MuteKind } from '#contract/bff/alert-mute.ts'
import type { ProblemCode } from '#contract/bff/problem.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { RouteSet } from '#contract/route-set.ts'
import { parseKeyword } from '#matcher/keyword.ts'
import { threatProfilesOptions } from './alert-options.ts'
import { isComparable } from './builder/check-draft.ts'
import { MuteButton } from './mutes/mute-button.tsx'
import { type Verdict, VerdictWords } from './profiles/verdict-words.tsx'

type ThreatProfilesProps = {
  threat: Threat
  /** The route set that the user requested. */
  set: RouteSet | undefined
}

const NAMES_MAX_COUNT = 5
const ABSENCES: Partial<Record<ProblemCode, string>> = {
  plan_not_allowed: 'Profiles in the vendor’s account are not in your plan.',
  not_offered: 'This vendor offers no profiles in its account.',
}

/** Which alert profiles catch a threat and by which words, which do not and why, and a way to a new one. */
export function ThreatProfiles({ threat, set }: ThreatProfilesProps) {
  const query = useQuery(threatProfilesOptions(threat.id, set))
  const freshness = query.data?.freshness
  return (
    <SectionCard
      title="Alert profiles"
      note={freshness && <AgeNote freshness={freshness} />}
      tools={<CreateLink threat={threat} />}
    >
      <LoadedPart query={query} name="alert profiles" heights={['h-5']}>
        {(data) => <Verdicts answer={data} threat={threat} />}
      </LoadedPart>
    </SectionCard>
  )
}

type VerdictsProps = { answer: Answer; threat: ThreatProfilesProps['threat'] }

function Verdicts({ answer: { profiles, vendorProblem }, threat }: VerdictsProps) {
  const matching = profiles.filter(({ verdict }) => verdict === 'matches')
  const others = profiles.filter(({ verdict }) => verdict !== 'matches')
  return (
    <>
      {vendorProblem && (
        <p className="px-4 pt-3 text-muted text-sm">
          {ABSENCES[vendorProblem.code] ??
            `Profiles of the vendor’s account are missing: ${vendorProblem.detail}`}
        </p>
      )}
      {matching.length === 0 && (
        <p className="px-4 py-3 text-muted text-sm">
          {profiles.length === 0 ? 'There are no alert profiles yet.' : 'No profile matches this threat.'}
        </p>
      )}
      {matching.length > 0 && <VerdictList verdicts={matching} muted={threat} />}
      {others.length > 0 && (
        <details className="border-line border-t px-4 py-2 text-sm">
          <summary className="w-fit rounded-sm text-muted text-xs hover:text-ink">
            {countOf(others.length, 'profile does', 'profiles do')} not match: why
          </summary>
          <div className="-mx-4 mt-1">
            <VerdictList verdicts={others} />
          </div>
        </details>
      )}
    </>
  )
}

type VerdictListProps = {
  verdicts: readonly Verdict[]
  /** Whose victims and actors may be muted. */
  muted?: ThreatProfilesProps['threat']
}

function VerdictList({ verdicts, muted }: VerdictListProps) {
  return (
    <ul className="divide-y divide-line">
      {verdicts.map((verdict) => (
        <li key={verdict.id} className="grid gap-0.5 px-4 py-2.5 text-sm">
          <Link
            to="/alerts"
            search={{ profile: verdict.id }}
            className="touch w-fit max-w-full truncate rounded-sm font-medium hover:underline"
          >
            <Untrusted text={verdict.name} maxLength={120} clip="silent" />
          </Link>
          <span className="text-muted text-xs">
            <VerdictWords verdict={verdict} />
            {muted && verdict.mute === 'vendor' && ' The vendor sends its messages: mute them there.'}
          </span>
          {muted && verdict.mute === 'allowed' && (
            <MuteButton
              profiles={[verdict]}
              names={[...toNames('victim', muted.organizations), ...toNames('actor', muted.actors)]}
              subject={`for ${verdict.name}`}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

function toNames(kind: MuteKind, names: readonly string[]) {
  return [...new Set(names)].map((name) => ({ kind, name }))
}

/** The builder with the names that the record gives: what one would want to hear of again. */
function CreateLink({ threat: { organizations, actors } }: { threat: Threat }) {
  const { data: session } = useQuery(sessionOptions())
  if (!session || session.user.role === 'viewer') return null
  const keyword = [...namesOf(organizations), ...namesOf(actors)]
  return (
    <Link
      to="/alerts/new"
      search={{ name: keyword.at(0), keyword: keyword.length > 0 ? keyword : undefined }}
      className={buttonLook({ size: 'small' })}
    >
      <Icon name="plus" className="size-3.5" />
      Alert me
    </Link>
  )
}

/** Those that a profile can have. */
function namesOf(texts: readonly string[]): string[] {
  return texts.filter((text) => parseKeyword(text) && isComparable(text)).slice(0, NAMES_MAX_COUNT)
}
