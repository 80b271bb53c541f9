import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { count, countOf } from '#app/format/count.ts'
import { storedDays } from '#app/format/stored-days.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { TextField } from '#app/ui/field.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertList, AlertProfile } from '#contract/bff/alert.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { profileMatchesOptions, threatProfilesOptions } from '../alert-options.ts'
import { TestButton } from '../deliveries/test-button.tsx'
import { TestedRow } from '../deliveries/tested-row.tsx'
import { MuteCard } from '../mutes/mute-card.tsx'
import { NoEmailNote } from '../no-email-note.tsx'
import { CloseLink, Fact, FactList, SidePanel } from '../side-panel.tsx'
import { DeliverySummary } from './delivery-summary.tsx'
import { KeywordList } from './keyword-list.tsx'
import { MatchItem } from './match-item.tsx'
import { ProfileActions } from './profile-actions.tsx'
import { destinationsInWords, ProfileDestinations } from './profile-destinations.tsx'
import { testOneDestination, testProfile } from './profile-mutations.ts'
import { focusProfileLink } from './profile-table.tsx'
import { readPastedId } from './read-pasted-id.ts'
import { VerdictWords } from './verdict-words.tsx'

type ProfilePanelProps = {
  profile: AlertProfile
  /** Null where the vendor sends its own messages, and tells nothing of them. */
  extension: AlertList['extension']
  /** The threat that the profile is compared with. */
  threatId: string | undefined
  onExplain(threatId: string): void
}

/** All of one profile: what it says, what it matched, and why it did not match. */
export function ProfilePanel({ profile, extension, threatId, onExplain }: ProfilePanelProps) {
  const { data: session } = useQuery(sessionOptions())
  const canTest = extension !== null && session !== undefined && session.user.role !== 'viewer'
  return (
    <SidePanel label="Profile" id={profile.id} onLeave={focusProfileLink}>
      <SectionCard
        title={<Untrusted text={profile.name} maxLength={120} clip="silent" />}
        tools={<CloseLink to="/alerts" search={({ find }) => ({ find })} />}
      >
        <FactList>
          <Fact name="Keywords">
            <KeywordList keywords={profile.keywords} />
          </Fact>
          <Fact name="Categories">
            {profile.categories.length === 0 ? 'Any' : <KeywordList keywords={profile.categories} />}
          </Fact>
          <Fact name="Destinations">
            <ProfileDestinations
              destinations={profile.destinations}
              {...(canTest && {
                toolOf: (name: string, address: string) => (
                  <TestButton
                    key={`${profile.id} ${name}`}
                    subject={visibleLine(address)}
                    send={() => testOneDestination(profile.id, name)}
                  />
                ),
              })}
            />
          </Fact>
          <Fact name="Triggered">
            {profile.triggeredCount === null ? '—' : countOf(profile.triggeredCount, 'time')}
          </Fact>
          <Fact name="Created">{profile.createdAt === null ? '—' : <Time at={profile.createdAt} />}</Fact>
          <Fact name="Updated">{profile.updatedAt === null ? '—' : <Time at={profile.updatedAt} />}</Fact>
        </FactList>
        {extension ? (
          <ProfileDelivery key={profile.id} profile={profile} extension={extension} canChange={canTest} />
        ) : (
          <div className="grid gap-3 border-line border-t px-4 py-3">
            <p className="text-muted text-sm">
              The vendor sends the messages of this profile: Lantern cannot mute a victim or an actor for it.
            </p>
            <ProfileActions key={profile.id} row={{ runsIn: 'vendor', profile, summary: null }} />
          </div>
        )}
      </SectionCard>
      {extension && <MuteCard key={`mutes ${profile.id}`} profile={profile} />}
      <ProfileExplainer
        key={`${profile.id} ${threatId}`}
        profile={profile}
        threatId={threatId}
        onExplain={onExplain}
      />
      <ProfileMatches id={profile.id} />
    </SidePanel>
  )
}

type ProfileDeliveryProps = {
  profile: AlertProfile
  extension: NonNullable<AlertList['extension']>
  canChange: boolean
}

/** How the messages of a profile go, and what may be done with it. */
function ProfileDelivery({ profile, extension, canChange }: ProfileDeliveryProps) {
  const summary = extension.deliveries[profile.id]
  const hasDestination = destinationsInWords(profile.destinations) !== ''
  return (
    <div className="grid gap-3 border-line border-t px-4 py-3">
      {summary && <DeliverySummary summary={summary} profileId={profile.id} hasLedger={canChange} />}
      {!extension.hasEmail && profile.destinations.email.length > 0 && <NoEmailNote />}
      {canChange && hasDestination && (
        <TestedRow
          test={
            <TestButton
              label="Test destinations"
              subject="of the profile"
              send={() => testProfile(profile.id)}
            />
          }
        />
      )}
      <ProfileActions row={{ runsIn: 'vendor', profile, summary: summary ?? null }} />
    </div>
  )
}

function ProfileMatches({ id }: { id: string }) {
  const query = useQuery(profileMatchesOptions(id, useTimeZone()))
  const { data } = query
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
      <LoadedPart query={query} name="the matches" heights={['h-12', 'h-12', 'h-12']}>
        {({ matches, days }) =>
          matches.length === 0 ? (
            <p className="px-4 py-3 text-muted text-sm">
              Nothing in {storedDays(days)} matches this profile.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {matches.map(({ threat, keywords }) => (
                <MatchItem key={`${threat.set} ${threat.id}`} threat={threat} keywords={keywords} />
              ))}
            </ul>
          )
        }
      </LoadedPart>
    </SectionCard>
  )
}

type ProfileExplainerProps = {
  profile: AlertProfile
  threatId: string | undefined
  onExplain(threatId: string): void
}

/** Why a threat does, or does not, match this profile. */
function ProfileExplainer({ profile, threatId, onExplain }: ProfileExplainerProps) {
  const [text, setText] = useState(threatId ?? '')
  const [isRefused, setIsRefused] = useState(false)

  const explain = (event: FormEvent) => {
    event.preventDefault()
    const id = readPastedId(text)
    setIsRefused(id === null)
    if (id !== null) onExplain(id)
  }
  return (
    <SectionCard title="Why did a threat not match?">
      <div className="grid gap-3 px-4 py-3">
        <form noValidate className="flex items-start gap-2" onSubmit={explain}>
          <TextField
            label="Threat id or address"
            className="flex-1"
            value={text}
            spellCheck={false}
            autoComplete="off"
            error={isRefused && 'Paste the id of a threat, or the address of its page.'}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" className="mt-5 max-sm:h-11">
            Explain
          </Button>
        </form>
        {threatId !== undefined && <Verdict profile={profile} threatId={threatId} />}
      </div>
    </SectionCard>
  )
}

function Verdict({ profile, threatId }: { profile: AlertProfile; threatId: string }) {
  const { data, error, refetch } = useQuery(threatProfilesOptions(threatId))
  if (error) return <ErrorPanel error={error} onRetry={() => refetch()} />
  const verdict = data?.profiles.find(({ id }) => id === profile.id)
  return (
    <p role="status" className="text-sm">
      {!data && <span className="text-muted">Comparing…</span>}
      {data && !verdict && 'The profile is not in the list that the threat was compared with.'}
      {verdict && (
        <>
          <VerdictWords verdict={verdict} />{' '}
          <Link
            to="/threats/$id"
            params={{ id: threatId }}
            className="touch rounded-sm font-medium text-accent hover:underline"
          >
            Open the threat
          </Link>
        </>
      )}
    </p>
  )
}
