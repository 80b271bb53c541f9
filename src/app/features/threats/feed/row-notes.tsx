import type { ReactNode } from 'react'
import { NearDue } from '#app/features/triage/due-note.tsx'
import { Absent } from '#app/ui/absent.tsx'
import { PersonName } from '#app/ui/person-name.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { closeReason } from '#contract/bff/close-reason-words.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'

const TEXT_MAX_LENGTH = 300
const NAME_MAX_LENGTH = 120

type CardNoteProps = { due: TriageState['due']; note: ReactNode; children: ReactNode }

/** When the case is due and how often it is claimed, in the place of the category if there is either. */
export function CardNote({ due, note, children }: CardNoteProps) {
  if (!note) return due ? <NearDue due={due} otherwise={children} /> : children
  return (
    <>
      {due && <NearDue due={due} hasMore />}
      {note} <span className="sr-only">{children}</span>
    </>
  )
}

type SecondLineProps = { threat: Threat; state: TriageState | undefined; children: ReactNode }

/** Below the title: when the case is due, how often it is claimed, and what the record says or why it was closed. */
export function SecondLine({ threat, state, children: note }: SecondLineProps) {
  const rest = describeThreat(threat, state, Boolean(note ?? state?.due))
  return (
    <span className="@max-2xl:hidden block truncate text-muted text-xs">
      {state?.due && <NearDue due={state.due} hasMore={Boolean(note ?? rest)} />}
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

/** Nothing stands for a text that is absent beside something else. */
function describeThreat(
  { excerpt, redacted }: Threat,
  state: TriageState | undefined,
  hasOther: boolean,
): ReactNode {
  if (state?.closed) return <Closing closed={state.closed} />
  if (excerpt !== null) return <Untrusted text={excerpt} clip="silent" maxLength={TEXT_MAX_LENGTH} isProse />
  const isWithheld = redacted.includes('excerpt')
  return hasOther && !isWithheld ? null : <Absent isWithheld={isWithheld} isShort />
}

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
