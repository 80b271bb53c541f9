import { useQuery } from '@tanstack/react-query'
import { useTimeZone } from '#app/ui/preferences.ts'
import { useNow } from '#app/ui/use-now.ts'
import { describeCost } from './budget.ts'
import { sourceOptions } from './source-options.ts'

/** Shows the cost of a press, such as `1–2` calls. Shows nothing while enough are left. */
export function CallCost({ calls, subject }: { calls: string; subject?: string }) {
  const { data: source } = useQuery(sourceOptions())
  const cost = describeCost(calls, source, { now: useNow(), timeZone: useTimeZone() })
  if (!cost) return null
  return (
    <span className="text-faint text-xs tabular-nums">
      {subject && `${subject}: `}
      {cost}
    </span>
  )
}
