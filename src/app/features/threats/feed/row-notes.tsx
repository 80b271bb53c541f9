import type { ReactNode } from 'react'
import { NearDue } from '#app/features/triage/near-due.tsx'
import { countOf } from '#app/format/count.ts'
import { Absent } from '#app/ui/absent.tsx'
import { PersonName } from '#app/ui/person-name.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Threat } from '#contract/bff/threat.ts'
import type { ListedCase } from '#contract/bff/threat-list.ts'
import { closeReason, type TriageState } from '#contract/bff/triage-state.ts'

const TEXT_MAX_LENGTH = 300
const NAME_MAX_LENGTH = 120

type CardNoteProps = { due: TriageState['due']; note: ReactNode; children: ReactNode }

/** When the case is due and how often it is claimed, in the place of the category if there is either. */
export function CardNote({ due, note, children }: CardNoteProps) {
  const category = <span className="sr-only">{children}</span>
  if (note) {
    return (
      <>
        {due && <NearDue due={due}> · </NearDue>}
        {note} {category}
      </>
    )
  }
  if (!due) return children
  return (
    <NearDue due={due} otherwise={children}>
      {' '}
      {category}
    </NearDue>
  )
}

type SecondLineProps = { threat: Threat; state: TriageState | undefined; children: ReactNode }

/** Below the title: when the case is due, how often it is claimed, and what the record says or why it was closed. */
export function SecondLine({ threat, state, children: note }: SecondLineProps) {
  const rest = describeThreat(threat, state)
  const isAlone = !note && !rest
  // Nothing stands for a text that is absent beside something else.
  const absent = isAlone && <Absent isWithheld={false} isShort />
  return (
    <span className="@max-2xl:hidden block truncate text-muted text-xs">
      {state?.due ? (
        <NearDue due={state.due} otherwise={absent}>
          {!isAlone && ' · '}
        </NearDue>
      ) : (
        absent
      )}
      {note && (
        <span className="text-ink">
          {note}
          {rest && ' · '}
        </span>
      )}
      {rest}
    </span>
  )
}

/** Null where the record says nothing. */
function describeThreat({ excerpt, redacted }: Threat, state: TriageState | undefined): ReactNode {
  if (state?.closed) return <Closing closed={state.closed} />
  if (excerpt !== null) return <Untrusted text={excerpt} clip="silent" maxLength={TEXT_MAX_LENGTH} isProse />
  return redacted.includes('excerpt') ? <Absent isWithheld isShort /> : null
}

type CaseNoteProps = {
  of: ListedCase
  /** The facts that unread claims add to it; untrusted text. */
  news: string | undefined
  /** There is little room beside it on a narrow screen. */
  isShort: boolean
}

const NEWS_MAX_LENGTH = 80

/** How often the victim is claimed, by how many, and what of that is new to the team. */
export function CaseNote({ of, news, isShort }: CaseNoteProps) {
  const onWide = isShort ? '@max-2xl:sr-only' : undefined
  return (
    <span className="shrink-0 text-xs">
      {countOf(of.claimCount, 'claim')}
      {of.actorCount > 1 && <span className={onWide}> · {countOf(of.actorCount, 'group')}</span>}
      {news !== undefined && (
        <>
          {' · '}
          <span className="font-medium text-accent">
            New
            <span className={onWide}>
              : <Untrusted text={news} clip="silent" maxLength={NEWS_MAX_LENGTH} />
            </span>
          </span>
        </>
      )}
    </span>
  )
}

/** Says in a row why a case was closed, by whom and when. */
function Closing({ closed: { reason, text, who, at } }: { closed: NonNullable<TriageState['closed']> }) {
  return (
    <>
      Closed: {closeReason(reason)}
      {text && (
        <>
          {' '}
          (<Untrusted text={text} clip="silent" maxLength={NAME_MAX_LENGTH} />)
        </>
      )}{' '}
      · <PersonName name={who} />, <Time at={at} show="age" />
    </>
  )
}
