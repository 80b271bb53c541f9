import { useTimeZone } from '#app/ui/preferences.ts'
import { useNow } from '#app/ui/use-now.ts'
import type { ChangeSearch } from './change-search.ts'
import { DAY_RANGES, firstDayOf } from './day-ranges.ts'
import type { ThreatSearch } from './threat-search.ts'

type DayRangeButtonsProps = { search: ThreatSearch; onChange: ChangeSearch }

/** The usual ranges in one press; a second press lifts them. */
export function DayRangeButtons({ search: { from, to }, onChange }: DayRangeButtonsProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  return (
    <fieldset className="flex h-6 overflow-clip rounded-md border border-line bg-surface text-xs">
      <legend className="sr-only">Published within</legend>
      {DAY_RANGES.map(({ label, days }) => {
        const firstDay = firstDayOf(days, now, timeZone)
        const isOn = from === firstDay && to === undefined
        return (
          <button
            key={days}
            type="button"
            aria-pressed={isOn}
            className="border-line px-2.5 text-muted not-first-of-type:border-l hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-pressed:bg-accent/12 aria-pressed:font-medium aria-pressed:text-accent"
            onClick={() => onChange({ from: isOn ? undefined : firstDay, to: undefined })}
          >
            {label}
          </button>
        )
      })}
    </fieldset>
  )
}
