import { useQuery } from '@tanstack/react-query'
import { count } from '#app/format/count.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Popover } from '#app/ui/popover.tsx'
import { Time } from '#app/ui/time.tsx'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import { type Budget, budgetLevel, scarcestBudget } from './budget.ts'
import { sourceOptions } from './source-options.ts'

const SET_NAMES: Record<RouteSet, string> = { v1: 'v1 route set', earlier: 'Earlier route set' }

const FILLS = { plenty: 'bg-accent', low: 'bg-medium', none: 'bg-critical' } as const

/** How many calls the plan has left, for the whole team: as the API's headers last told. */
export function BudgetMeter() {
  const { data: source } = useQuery(sourceOptions())
  const scarcest = source && scarcestBudget(source)
  if (!source || !scarcest) return null

  return (
    <Popover
      label="Calls left"
      align="end"
      className="w-72 p-3"
      renderTrigger={(props) => (
        <button
          type="button"
          className="flex h-8 items-center gap-2 rounded-md px-2 text-muted text-xs tabular-nums hover:bg-hover hover:text-ink max-sm:h-10"
          {...props}
        >
          <Bar budget={scarcest} className="w-10 max-sm:hidden" />
          <span>
            {count(scarcest.remaining)} <span className="max-sm:hidden">calls</span> left
          </span>
        </button>
      )}
    >
      <p className="font-medium text-sm">Calls left</p>
      <p className="mt-0.5 text-muted text-xs">Shared by everyone who uses this Lantern.</p>
      <dl className="mt-3 grid gap-3 text-xs">
        {ROUTE_SETS.map((set) => (
          <div key={set} className="grid gap-1">
            <dt className="font-medium text-muted">{SET_NAMES[set]}</dt>
            <dd className="grid gap-1 tabular-nums">
              <SetBudget state={source.sets[set]} />
            </dd>
          </div>
        ))}
      </dl>
    </Popover>
  )
}

function SetBudget({ state: { status, budget } }: { state: { status: string; budget: Budget | null } }) {
  if (status === 'forbidden') {
    return (
      <span className="flex items-center gap-1.5 text-faint">
        <Icon name="lock" className="size-3.5" /> Not in this plan
      </span>
    )
  }
  if (!budget) return <span className="text-faint">Not used yet</span>
  return (
    <>
      <Bar budget={budget} className="w-full" />
      <span className="flex justify-between gap-2">
        <span>
          {count(budget.remaining)} of {count(budget.limit)}
        </span>
        {budget.resetsAt && (
          <span className="text-faint">
            resets <Time at={budget.resetsAt} show="clock" />
          </span>
        )}
      </span>
    </>
  )
}

function Bar({ budget, className }: { budget: Budget; className: string }) {
  const { remaining, limit } = budget
  const share = remaining !== null && limit ? Math.min(1, Math.max(0, remaining / limit)) : 0
  return (
    <span aria-hidden="true" className={`block h-1.5 overflow-hidden rounded-full bg-pressed ${className}`}>
      <span
        className={`block h-full rounded-full ${FILLS[budgetLevel(budget)]}`}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  )
}
