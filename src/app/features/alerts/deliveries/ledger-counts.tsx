import { Link } from '@tanstack/react-router'
import { count } from '#app/format/count.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { DeliveryCounts, DeliveryState } from '#contract/delivery.ts'
import type { LedgerSearch } from '../alert-search.ts'

/** In the order in which somebody has to care. */
const GROUPS: readonly { label: string; states: DeliveryState[]; look: string }[] = [
  { label: 'failed', states: ['failed'], look: 'text-critical' },
  { label: 'unclear', states: ['unclear'], look: 'text-medium' },
  { label: 'held back', states: ['heldBack'], look: 'text-ink' },
  { label: 'on their way', states: ['queued', 'sending', 'retrying'], look: 'text-ink' },
  { label: 'not sent', states: ['notSent'], look: 'text-ink' },
  { label: 'sent', states: ['sent'], look: 'text-ink' },
]

type LedgerCountsProps = {
  /** Undefined while it is read. */
  counts: DeliveryCounts | undefined
  search: LedgerSearch
}

/** How many messages are in which state; a press shows those alone, another all again. */
export function LedgerCounts({ counts, search }: LedgerCountsProps) {
  return (
    <nav aria-label="By state" className="flex flex-wrap gap-x-1 gap-y-1 px-2 py-2">
      {GROUPS.map(({ label, states, look }) => {
        const total = counts && states.reduce((sum, state) => sum + counts[state], 0)
        const isOn = search.state?.toSorted().join() === states.toSorted().join()
        return (
          <Link
            key={label}
            to="/alerts/deliveries"
            search={{ ...search, state: isOn ? undefined : states, open: undefined }}
            resetScroll={false}
            aria-current={isOn ? 'true' : undefined}
            activeProps={{}}
            className="flex h-8 items-center gap-1.5 rounded-md px-2 hover:bg-hover max-sm:h-11 aria-[current=true]:bg-accent/12"
          >
            {total === undefined ? (
              <Skeleton className="h-4 w-[1ch] text-base" />
            ) : (
              <span className={`font-semibold text-base tabular-nums ${total === 0 ? 'text-faint' : look}`}>
                {count(total)}
              </span>
            )}
            <span className="text-muted text-xs">{label}</span>
          </Link>
        )
      })}
    </nav>
  )
}
