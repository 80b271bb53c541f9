import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { SecretField } from '#app/ui/secret-field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { LanternProfile, ProfileProved } from '#contract/bff/alert-profile.ts'
import type { Recipient } from '#contract/bff/recipient.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { TestButton } from '../deliveries/test-button.tsx'
import { TestedRow } from '../deliveries/tested-row.tsx'
import { lanternProfileMutations, proveProfile } from '../lantern-profile-options.ts'
import { MuteCard } from '../mutes/mute-card.tsx'
import { RecipientList } from '../recipients/recipient-list.tsx'
import { recipientLine } from '../recipients/recipient-name.tsx'
import { scheduleInWords } from '../schedule-words.ts'
import { CloseLink, Fact, FactList, SidePanel } from '../side-panel.tsx'
import { DeliverySummary } from './delivery-summary.tsx'
import { FilterFaultsNote } from './filter-faults-note.tsx'
import { KeywordList } from './keyword-list.tsx'
import { ProfileActions } from './profile-actions.tsx'
import { describeFilter } from './profile-row.ts'
import { focusProfileLink } from './profile-table.tsx'

/** All of one profile that runs in Lantern, and what may be done with it. */
export function LanternPanel({ profile }: { profile: LanternProfile }) {
  const { data: session } = useQuery(sessionOptions())
  const { owner } = profile
  const role = session?.user.role ?? 'viewer'
  const canChange = role === 'admin' || (role === 'analyst' && owner?.isMe === true)
  return (
    <SidePanel label="Profile" id={profile.id} onLeave={focusProfileLink}>
      <SectionCard
        title={<Untrusted text={profile.name} maxLength={120} clip="silent" />}
        tools={<CloseLink to="/alerts" search={({ find }) => ({ find })} />}
      >
        <FactList>
          {profile.isShift ? <Fact name="Sends">Shift</Fact> : <SearchFact profile={profile} />}
          <Fact name="Runs in">Lantern</Fact>
          <Fact name="Owner">
            {owner ? <Untrusted text={owner.name} maxLength={80} clip="silent" /> : 'The admins'}
            {profile.isShared && <span className="text-faint"> · shared with the team</span>}
          </Fact>
          <Fact name="Recipients">
            <RecipientList
              profile={profile}
              canTest={canChange}
              renderMore={(recipient) =>
                canChange &&
                recipient.channel === 'webhook' && (
                  <ReplaceSecret key={recipient.id} profileId={profile.id} recipient={recipient} />
                )
              }
            />
          </Fact>
          <Fact name="When">
            {scheduleInWords(profile.schedule, profile.timeZone)}
            {profile.nextDigestAt !== null && profile.state !== 'paused' && (
              <span className="block text-faint text-xs">
                Next on <Time at={profile.nextDigestAt} />
              </span>
            )}
          </Fact>
          {!profile.isShift && <MatchesFact profile={profile} />}
          <Fact name="Created">
            <Time at={profile.createdAt} />
          </Fact>
          <Fact name="Updated">
            <Time at={profile.updatedAt} />
          </Fact>
        </FactList>
        <div className="grid gap-3 border-line border-t px-4 py-3">
          <DeliverySummary summary={profile} profileId={profile.id} hasLedger={role !== 'viewer'} />
          {profile.pausedUntil !== null && (
            <p className="text-muted text-xs">
              It resumes by itself on <Time at={profile.pausedUntil} />.
            </p>
          )}
          {canChange && !profile.isShift && <ProveButton key={`prove ${profile.id}`} profile={profile} />}
          {canChange && <WeeklyTest key={`weekly ${profile.id}`} profile={profile} />}
          <ProfileActions key={profile.id} row={{ runsIn: 'lantern', profile, summary: profile }} />
        </div>
      </SectionCard>
      {!profile.isShift && <MuteCard key={`mutes ${profile.id}`} profile={profile} />}
    </SidePanel>
  )
}

function SearchFact({ profile }: { profile: LanternProfile }) {
  const terms = describeFilter(profile.filter)
  return (
    <Fact name="Search">
      {terms.length > 0 ? <KeywordList keywords={terms} /> : 'All threats'}
      <FilterFaultsNote profile={profile} />
    </Fact>
  )
}

function MatchesFact({ profile: { filter, window } }: { profile: LanternProfile }) {
  return (
    <Fact name="30 days">
      {window ? countOf(window.matches, 'match', 'matches') : 'Not available'}{' '}
      <Link to="/threats" search={filter} className="touch font-medium text-accent hover:underline">
        View threats
      </Link>
    </Fact>
  )
}

/** Sends the newest matching record to all destinations, marked as a test. */
function ProveButton({ profile: { id, name } }: { profile: LanternProfile }) {
  const [proof, setProof] = useState<ProfileProved>()
  const send = async () => {
    const proof = await proveProfile(id)
    setProof(proof)
    return proof.sent
  }
  const { record, userCount = 0 } = proof ?? {}
  return (
    <div className="grid gap-1">
      <TestedRow
        test={
          <TestButton label="Prove it" subject={visibleLine(name)} send={send} hasOthers={userCount > 0} />
        }
      />
      <p className="text-muted text-xs">
        Sends the newest stored match of this search to all recipients, marked as a test.
      </p>
      {userCount > 0 && (
        <p role="status" className="text-muted text-xs">
          Shown in Notifications of {countOf(userCount, 'recipient')}.
        </p>
      )}
      {record === null && (
        <p role="status" className="text-muted text-xs">
          No stored record matches: a plain test was sent.
        </p>
      )}
      {typeof record === 'string' && (
        <p role="status" className="wrap-anywhere text-muted text-xs">
          Newest match: <Untrusted text={record} maxLength={160} clip="silent" isProse />
        </p>
      )}
    </div>
  )
}

/** The same each week, by choice. */
function WeeklyTest({ profile: { id, nextProofAt } }: { profile: LanternProfile }) {
  const { mutate, isPending, error } = useMutation(lanternProfileMutations(useQueryClient()).change)
  return (
    <div className="grid gap-1 text-xs">
      <Checkbox
        isChecked={nextProofAt !== null}
        isBusy={isPending}
        onChange={(isProvedWeekly) => mutate({ id, change: { isProvedWeekly } })}
      >
        Send a test every week
      </Checkbox>
      {nextProofAt !== null && (
        <p className="text-muted">
          Next test: <Time at={nextProofAt} />.
        </p>
      )}
      <ActionError error={error} not="changed" />
    </div>
  )
}

type ReplaceSecretProps = { profileId: string; recipient: Recipient }

/** Makes a new signing secret for a webhook, and shows it, the only time. */
function ReplaceSecret({ profileId, recipient }: ReplaceSecretProps) {
  const { data, error, isPending, mutate } = useMutation(
    lanternProfileMutations(useQueryClient()).replaceSecret,
  )
  const secret = data?.secrets[recipient.id]
  if (secret !== undefined)
    return (
      <SecretField
        label="New signing secret"
        value={secret}
        hint="Copy it now: it is not shown again. For 24 hours messages are signed with both secrets."
      />
    )
  return (
    <div className="flex flex-wrap items-center gap-2">
      <AskFirst
        label="Replace secret"
        accessibleLabel={`Replace secret of ${visibleLine(recipientLine(recipient))}`}
        warning="The present secret is valid for 24 more hours."
        confirm="Replace secret"
        isBusy={isPending}
        onConfirm={() => mutate({ profileId, recipientId: recipient.id })}
      />
      <ActionError error={error} not="replaced" />
    </div>
  )
}
