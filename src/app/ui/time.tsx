import { age, clockTime, exactDay, exactTime, type Instant, millisecondsOf } from '#app/format/time.ts'
import { useTimeZone } from './preferences.ts'
import { useNow } from './use-now.ts'

type TimeProps = { at: Instant; show?: 'age' | 'exact' | 'day' | 'clock' }

/** A time in the reader's zone; the exact one is in its title. */
export function Time({ at, show = 'exact' }: TimeProps) {
  const timeZone = useTimeZone()
  const exact = exactTime(at, timeZone)
  const milliseconds = millisecondsOf(at)
  if (Number.isNaN(milliseconds)) return <span>{exact}</span>

  return (
    <time dateTime={new Date(milliseconds).toISOString()} title={exact} className="tabular-nums">
      {show === 'age' && <Age at={at} timeZone={timeZone} />}
      {show === 'exact' && exact}
      {show === 'day' && exactDay(at, timeZone)}
      {show === 'clock' && clockTime(at, timeZone)}
    </time>
  )
}

function Age({ at, timeZone }: { at: Instant; timeZone: string }) {
  return age(at, useNow(), timeZone)
}
