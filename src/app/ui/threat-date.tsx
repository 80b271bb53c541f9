import { millisecondsOf } from '#app/format/time.ts'
import { Time } from './time.tsx'
import { Untrusted } from './untrusted.tsx'
import { useNow } from './use-now.ts'

type ThreatDateProps = { threat: { publishedAt: string | null; dateText?: string | undefined } }

const DATE_TEXT_MAX_LENGTH = 40
/** Clocks of vendors run ahead by less. */
const FUTURE_FROM_MS = 5 * 60_000

/** How old a threat is, in the little room of a row; in words where that is no date, or one that is still to come. */
export function ThreatAge({ threat: { publishedAt } }: ThreatDateProps) {
  const isFuture = useIsFuture(publishedAt)
  if (publishedAt === null) return <span>no date</span>
  return isFuture ? <span className="text-medium">future date</span> : <Time at={publishedAt} show="age" />
}

/** When a threat was published, or what the vendor wrote in the place of a date. */
export function ThreatDate({ threat: { publishedAt, dateText } }: ThreatDateProps) {
  const isFuture = useIsFuture(publishedAt)
  if (publishedAt !== null)
    return (
      <span>
        <Time at={publishedAt} /> ·{' '}
        {isFuture ? (
          <span className="text-medium">dated in the future</span>
        ) : (
          <Time at={publishedAt} show="age" />
        )}
      </span>
    )
  if (dateText === undefined) return <span>No date given</span>
  return (
    <span>
      No readable date: “<Untrusted text={dateText} maxLength={DATE_TEXT_MAX_LENGTH} clip="silent" />”
    </span>
  )
}

function useIsFuture(at: string | null): boolean {
  const now = useNow()
  return at !== null && millisecondsOf(at) > now + FUTURE_FROM_MS
}
