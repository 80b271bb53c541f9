import { Time } from '#app/ui/time.tsx'
import type { ThreatList } from '#contract/bff/threat-list.ts'

/** Where Lantern's own copy ends: there may be older threats, but they cost calls. */
export function WindowEdge({ list: { answeredBy, freshness } }: { list: ThreatList }) {
  if (answeredBy !== 'window' || freshness.covers.from === null) return null
  return (
    <p className="px-4 pb-4 text-center text-faint text-xs">
      Lantern’s window begins on <Time at={freshness.covers.from} show="day" />. For older threats choose a
      From date before it: that costs calls.
    </p>
  )
}
