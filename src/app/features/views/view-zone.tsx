import { useTimeZone } from '#app/ui/preferences.ts'
import { hasDays } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'

/** Says whose days the page shows, where a view was saved in another zone than the reader's. */
export function ViewZone({ view: { filter, timeZone, hasFeed } }: { view: View }) {
  const own = useTimeZone()
  if (!hasDays(filter) || timeZone === own) return null
  return (
    <p className="text-muted text-xs max-sm:order-last max-sm:w-full">
      Days of your zone, {own}. The view was saved in {timeZone}
      {hasFeed && ', whose days its Atom feed keeps'}.
    </p>
  )
}
