import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { count } from '#app/format/count.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Popover } from '#app/ui/popover.tsx'
import { useNow } from '#app/ui/use-now.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { hasScarceCalls, leastBudgets } from './budget.ts'
import { BudgetBar } from './budget-bar.tsx'
import { sourceOptions } from './source-options.ts'

// Not on the way to the first page: fetched when first opened.
const BudgetPanel = lazy(async () => ({ default: (await import('./budget-panel.tsx')).BudgetPanel }))

/** How many calls the plan has left, for the whole team: as the API's headers last reported. */
export function BudgetMeter() {
  const { data: source } = useQuery(sourceOptions())
  const now = useNow()
  if (!source) return null
  const { minute, day } = leastBudgets(source, now)
  const main = hasScarceCalls(source, now) ? (day ?? minute) : null

  return (
    <Popover
      label="Calls left"
      align="end"
      className="w-80"
      renderTrigger={(props) => (
        <button
          type="button"
          className="flex h-8 items-center gap-2 rounded-md px-2 text-muted text-xs tabular-nums hover:bg-hover hover:text-ink max-sm:h-11"
          {...props}
        >
          {source.window.trouble !== null && (
            <>
              <Icon name="alert" className="size-3.5 text-medium" />
              <VisuallyHidden>Trouble reading threats.</VisuallyHidden>
            </>
          )}
          {main && <BudgetBar budget={main} className="w-10 max-sm:hidden" />}
          {main ? (
            <span>
              {count(main.remaining)}{' '}
              <span className="max-sm:sr-only">{main.remaining === 1 ? 'call' : 'calls'}</span> left{' '}
              <span className="max-sm:sr-only">
                {day ? 'today' : 'this minute'}
                {day && minute && `, ${count(minute.remaining)} now`}
              </span>
            </span>
          ) : (
            'Calls'
          )}
        </button>
      )}
    >
      <Suspense fallback={<div className="h-80" />}>
        <BudgetPanel source={source} />
      </Suspense>
    </Popover>
  )
}
