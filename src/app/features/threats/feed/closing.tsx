import { PersonName } from '#app/ui/person-name.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { closeReason, type TriageState } from '#contract/bff/triage-state.ts'

const NAME_MAX_LENGTH = 120

/** Says in a row why a case was closed, by whom and when. */
export function Closing({
  closed: { reason, text, who, at },
}: {
  closed: NonNullable<TriageState['closed']>
}) {
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
