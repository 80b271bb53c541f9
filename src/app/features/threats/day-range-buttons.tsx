import { Segments } from '#app/ui/segments.tsx'
import type { ChangeSearch } from './change-search.ts'
import { DAY_RANGES } from './day-ranges.ts'
import type { ThreatSearch } from './threat-search.ts'

type DayRangeButtonsProps = { search: ThreatSearch; onChange: ChangeSearch }

/** The usual ranges in one press; a second press lifts them. */
export function DayRangeButtons({ search, onChange }: DayRangeButtonsProps) {
  const segments = DAY_RANGES.map(({ within, label }) => {
    const isOn = search.within === within
    const none = { from: undefined, to: undefined, since: undefined, until: undefined }
    return {
      key: within,
      label,
      isOn,
      onPress: () => onChange({ ...none, within: isOn ? undefined : within }),
    }
  })
  return <Segments legend="Published within" segments={segments} />
}
