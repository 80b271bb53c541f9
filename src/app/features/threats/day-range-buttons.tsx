import { useTimeZone } from '#app/ui/preferences.ts'
import { Segments } from '#app/ui/segments.tsx'
import { useNow } from '#app/ui/use-now.ts'
import type { ChangeSearch } from './change-search.ts'
import { DAY_RANGES, firstDayOf } from './day-ranges.ts'
import type { ThreatSearch } from './threat-search.ts'

type DayRangeButtonsProps = { search: ThreatSearch; onChange: ChangeSearch }

/** The usual ranges in one press; a second press lifts them. */
export function DayRangeButtons({ search: { from, to }, onChange }: DayRangeButtonsProps) {
  const timeZone = useTimeZone()
  const now = useNow()
  const segments = DAY_RANGES.map(({ label, days }) => {
    const firstDay = firstDayOf(days, now, timeZone)
    const isOn = from === firstDay && to === undefined
    const none = { to: undefined, since: undefined, until: undefined }
    return {
      key: label,
      label,
      isOn,
      onPress: () => onChange({ ...none, from: isOn ? undefined : firstDay }),
    }
  })
  return <Segments legend="Published within" segments={segments} />
}
