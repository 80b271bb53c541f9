import { Icon } from '#app/ui/icon.tsx'
import { Time } from '#app/ui/time.tsx'
import type { Freshness } from '#contract/bff/freshness.ts'

/** How old what is shown is; marked, with the reason, once it is not current. */
export function FreshnessNote({ freshness: { fetchedAt, isStale, staleReason } }: { freshness: Freshness }) {
  return (
    <span className={`text-xs ${isStale ? 'inline-flex items-center gap-1 text-medium' : 'text-faint'}`}>
      {isStale && <Icon name="clock" className="size-3.5" />}
      <span>
        as of <Time at={fetchedAt} show="clock" />
        {isStale && `, not current. ${staleReason ?? ''}`}
      </span>
    </span>
  )
}
