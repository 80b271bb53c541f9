import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { count } from '#app/format/count.ts'
import { Icon } from '#app/ui/icon.tsx'
import { closePopoverOf } from '#app/ui/popover.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { useNow } from '#app/ui/use-now.ts'
import type { CallBudget, SetState, Source } from '#contract/bff/source.ts'
import { ROUTE_SETS, type RouteSet } from '#contract/route-set.ts'
import { budgetAt } from './budget.ts'
import { BudgetBar } from './budget-bar.tsx'
import { StoredSummary } from './stored-summary.tsx'

const SET_NAMES: Record<RouteSet, string> = { v1: 'API v1', earlier: 'Earlier API' }

/** Shows the calls left in each limit period, their reset and what is stored. */
export function BudgetPanel({ source }: { source: Source }) {
  const { data: session } = useQuery(sessionOptions())
  return (
    <div className="divide-y divide-line text-xs">
      <div className="p-3">
        <p className="font-medium text-sm">Calls left</p>
        <p className="mt-0.5 text-muted">Shared by everyone who uses this Lantern.</p>
        <dl className="mt-3 grid gap-3">
          {ROUTE_SETS.map((set) => (
            <div key={set} className="grid gap-1">
              <dt className="font-medium text-muted">{SET_NAMES[set]}</dt>
              <dd className="grid gap-2 tabular-nums">
                <SetBudgets state={source.sets[set]} />
              </dd>
            </div>
          ))}
        </dl>
        {source.trialExpiresAt && (
          <p className="mt-3 text-muted">
            The key’s trial runs until <Time at={source.trialExpiresAt} />.
          </p>
        )}
      </div>
      <div className="p-3">
        <p className="font-medium text-sm">Threats stored here</p>
        <StoredSummary />
      </div>
      {session?.user.role === 'admin' && (
        <Link
          to="/settings/calls"
          onClick={(event) => closePopoverOf(event.currentTarget)}
          className="block p-3 font-medium text-accent hover:underline"
        >
          All API calls
        </Link>
      )}
    </div>
  )
}

function SetBudgets({ state: { status, reason, budgets, blockedUntil } }: { state: SetState }) {
  const now = useNow()
  if (status === 'absent') return <span className="text-faint">Not offered by this vendor</span>
  if (status === 'forbidden') {
    return (
      <span className="flex gap-1.5 text-faint">
        <Icon name="lock" className="size-3.5" />
        <span>
          Not in this plan
          {reason && (
            <>
              : “<Untrusted text={reason} maxLength={120} clip="silent" />”
            </>
          )}
        </span>
      </span>
    )
  }
  const [minute, day] = [budgetAt(budgets.minute, now), budgetAt(budgets.day, now)]
  return (
    <>
      {status === 'withoutList' && <span className="text-faint">Without a list of threats</span>}
      {minute && <BudgetLine budget={minute} span="this minute" />}
      {day && <BudgetLine budget={day} span="today" />}
      {!minute && !day && <span className="text-faint">Not reported yet</span>}
      {blockedUntil && Date.parse(blockedUntil) > now && (
        <span className="text-medium">
          Paused by the API until <Time at={blockedUntil} show="clock" />
        </span>
      )}
    </>
  )
}

function BudgetLine({ budget, span }: { budget: CallBudget; span: string }) {
  return (
    <span className="grid gap-1">
      <BudgetBar budget={budget} className="w-full" />
      <span className="flex justify-between gap-2">
        <span>
          {count(budget.remaining)} of {count(budget.limit)} {span}
        </span>
        {budget.resetsAt && (
          <span className="text-faint">
            resets <Time at={budget.resetsAt} show="clock" />
          </span>
        )}
      </span>
    </span>
  )
}
