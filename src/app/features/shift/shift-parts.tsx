import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { MakeList } from '#app/features/concerns/make-list.tsx'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { DueBadge } from '#app/features/triage/due-note.tsx'
import { OwnerBadge } from '#app/features/triage/owner-badge.tsx'
import { count, countOf } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PersonName } from '#app/ui/person-name.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { ThreatTitle } from '#app/ui/threat-title.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted, type UntrustedProps } from '#app/ui/untrusted.tsx'
import type { CountedCases, Shift } from '#contract/bff/shift.ts'
import type { Threat } from '#contract/bff/threat.ts'
import { writeMentions } from '#contract/bff/triage.ts'
import { closeReason } from '#contract/bff/triage-state.ts'

const TITLE_MAX_LENGTH = 200
const NAME_MAX_LENGTH = 80
/** Longer than any comment: paper has no button that shows the rest. */
const TEXT_MAX_LENGTH = 5_000
const COLUMN = 'grid grid-cols-[minmax(0,1fr)] gap-4 print:mb-2 print:gap-2'

/**
 * The parts of a shift: what waits for somebody, and beside it what people did. Each count leads to the feed with the same
 * cases, each line to its threat.
 */
export function ShiftParts({ shift }: { shift: Shift }) {
  if (isUnread(shift))
    return (
      <div className="rounded-lg border border-line bg-surface">
        <EmptyState icon="clock" title="No threats stored yet">
          Cases appear here as soon as Lantern has read threats from the vendor.
        </EmptyState>
      </div>
    )
  return (
    <>
      <ConcernsUs shift={shift} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] print:block">
        <div className={COLUMN}>
          <WaitingParts shift={shift} />
        </div>
        <div className={COLUMN}>
          <DoneParts shift={shift} />
        </div>
      </div>
    </>
  )
}

/** Returns true if nothing was read yet, and the team has done nothing: no count would mean anything. */
function isUnread({ freshness, closed, comments }: Shift): boolean {
  const hasNothing = freshness?.isStale === true && freshness.coverage?.status === 'none'
  return hasNothing && closed.cases === 0 && comments.count === 0
}

function WaitingParts({ shift: { added, overdue, freshness } }: { shift: Shift }) {
  return (
    <>
      <Part
        title="Overdue"
        total={<CasesLink counted={overdue}>{cases(overdue.cases)}</CasesLink>}
        isEmpty={overdue.cases === 0}
        empty="No case is overdue."
      >
        <OverdueLines of={overdue} />
      </Part>
      <Part
        title="Cases with new claims"
        total={<CasesLink counted={added}>{cases(added.cases)}</CasesLink>}
        isEmpty={added.cases === 0}
        // The vendor may have claims that are not read yet.
        empty={freshness?.isStale ? 'Lantern has read no new claim since then.' : 'No new claim since then.'}
      >
        <ThreatLines threats={added.newest} of={added} />
      </Part>
    </>
  )
}

function DoneParts({ shift: { closed, open, owners, comments } }: { shift: Shift }) {
  return (
    <>
      <Part
        title="Closed"
        total={<span>{cases(closed.cases)}</span>}
        isEmpty={closed.cases === 0}
        empty="Nobody closed a case since then."
      >
        <Lines>
          {closed.newest.map(({ threat, at, who, reason, text }) => (
            <Line key={threat.id} threat={threat}>
              {closeReason(reason)} · <PersonName name={who} /> · <Time at={at} />
              {text !== null && <Text text={text} />}
            </Line>
          ))}
        </Lines>
        <More shown={closed.newest.length} of={closed.cases} />
      </Part>
      <Part
        title="Open by owner"
        total={<CasesLink counted={open}>{cases(open.cases)}</CasesLink>}
        isEmpty={owners.length === 0}
        empty="No case is open."
      >
        <Counts>
          {owners.map(({ name, ...counted }) => (
            <li key={counted.filter.q}>
              <CasesLink counted={counted}>
                {name === null ? 'Nobody' : <PersonName name={name} />}: {cases(counted.cases)}
              </CasesLink>
            </li>
          ))}
        </Counts>
      </Part>
      <Part
        title="Comments"
        total={<span>{countOf(comments.count, 'comment')}</span>}
        isEmpty={comments.count === 0}
        empty="Nobody wrote a comment since then."
      >
        <Lines>
          {comments.newest.map(({ threat, at, who, text, mentions }) => {
            const written = writeMentions(text ?? '', mentions)
            return (
              <Line key={`${threat.id} ${at} ${text}`} threat={threat}>
                <PersonName name={who} /> · <Time at={at} />
                <Text text={written.text} highlights={written.ranges} />
              </Line>
            )
          })}
        </Lines>
        <More shown={comments.newest.length} of={comments.count} />
      </Part>
    </>
  )
}

/** Without a list, those who can make one are offered to. */
function ConcernsUs({ shift: { lists, hasLists } }: { shift: Shift }) {
  const { data: session } = useQuery(sessionOptions())
  if (!hasLists) return session && session.user.role !== 'viewer' && <MakeList />
  return (
    <Part title="Concerns us" isEmpty={lists.length === 0} empty="No new claim matches a list.">
      <Counts>
        {lists.map(({ id, name, ...counted }) => (
          <li key={id}>
            <CasesLink counted={counted}>
              <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" />: {cases(counted.cases)}
            </CasesLink>
          </li>
        ))}
      </Counts>
    </Part>
  )
}

function cases(number: number): string {
  return countOf(number, 'case')
}

type PartProps = { title: string; total?: ReactNode; isEmpty: boolean; empty: string; children: ReactNode }

function Part({ title, total, isEmpty, empty, children }: PartProps) {
  return (
    <SectionCard title={title} note={total && <span className="text-muted text-xs">{total}</span>}>
      {isEmpty ? <p className="px-4 py-3 text-muted text-sm">{empty}</p> : children}
    </SectionCard>
  )
}

type CasesLinkProps = { counted: CountedCases; children: ReactNode }

function CasesLink({ counted: { filter }, children }: CasesLinkProps) {
  return (
    <Link
      to="/threats"
      search={filter}
      className="touch wrap-anywhere rounded-sm tabular-nums hover:underline max-sm:inline-flex max-sm:min-h-11 max-sm:items-center"
    >
      {children}
    </Link>
  )
}

function Counts({ children }: { children: ReactNode }) {
  return <ul className="flex flex-wrap gap-x-6 gap-y-1 px-4 py-2 text-sm">{children}</ul>
}

function Lines({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line">{children}</ul>
}

/** Says of each case how late it is, and whose. */
function OverdueLines({ of }: { of: Shift['overdue'] }) {
  const states = new Map(of.states.map((state) => [state.id, state]))
  return (
    <ThreatLines threats={of.newest} of={of}>
      {({ id }) => {
        const { due, owner } = states.get(id) ?? {}
        return (
          <>
            {due && <DueBadge due={due} />}
            {owner ? <OwnerBadge owner={owner} isNamed /> : <Badge>Nobody</Badge>}
          </>
        )
      }}
    </ThreatLines>
  )
}

type ThreatLinesProps = {
  threats: readonly Threat[]
  of: CountedCases
  /** Stands before the other facts of a threat. */
  children?(threat: Threat): ReactNode
}

function ThreatLines({ threats, of, children }: ThreatLinesProps) {
  return (
    <>
      <Lines>
        {threats.map((threat) => (
          <Line key={threat.id} threat={threat}>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              {children?.(threat)}
              <SeverityMark severity={threat.severity} />
              {threat.actors.length > 0 && (
                <Untrusted text={threat.actors.join(', ')} maxLength={TITLE_MAX_LENGTH} clip="silent" />
              )}
              {threat.publishedAt === null ? <span>No date given</span> : <Time at={threat.publishedAt} />}
            </span>
          </Line>
        ))}
      </Lines>
      <More shown={threats.length} of={of.cases} />
    </>
  )
}

/** Nothing is cut: paper has no second page that shows the rest. */
function Line({ threat, children }: { threat: Threat; children: ReactNode }) {
  return (
    <li className="px-4 py-1.5 text-sm print:break-inside-avoid print:py-1">
      <Link
        to="/threats/$id"
        params={{ id: threat.id }}
        className="touch wrap-anywhere rounded-sm font-medium hover:underline max-sm:inline-flex max-sm:min-h-11 max-sm:items-center"
      >
        <ThreatTitle threat={threat} maxLength={TITLE_MAX_LENGTH} />
      </Link>
      <div className="text-muted text-xs">{children}</div>
    </li>
  )
}

function Text(props: { text: string; highlights?: UntrustedProps['highlights'] }) {
  return (
    <p className="wrap-anywhere text-ink text-sm">
      <Untrusted {...props} multiline maxLength={TEXT_MAX_LENGTH} isProse />
    </p>
  )
}

function More({ shown, of }: { shown: number; of: number }) {
  if (of <= shown) return null
  return <p className="px-4 py-2 text-faint text-xs">{`${count(of - shown)} more are not listed here.`}</p>
}
