import { Link } from '@tanstack/react-router'
import { countOf } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Time } from '#app/ui/time.tsx'
import type { DeliverySummary as Summary } from '#contract/delivery.ts'

type DeliverySummaryProps = {
  summary: Summary
  profileId: string
  /** Viewers have no ledger to look into. */
  hasLedger: boolean
}

/** Says if the profile sends, when it last did, and what failed lately. */
export function DeliverySummary({ summary, profileId, hasLedger }: DeliverySummaryProps) {
  const { state, lastSentAt, failures } = summary
  const words = `${countOf(failures, 'failure')} in 7 days`
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2 gap-y-0.5">
      {state === 'paused' && <Badge>Paused</Badge>}
      <span className="text-muted text-xs">
        {lastSentAt === null ? (
          'Nothing sent yet'
        ) : (
          <>
            Sent <Time at={lastSentAt} show="age" />
          </>
        )}
      </span>
      {failures > 0 &&
        (hasLedger ? (
          <Link
            to="/alerts/deliveries"
            search={{ profile: profileId, state: ['failed', 'unclear'] }}
            className="touch relative z-1 font-medium text-critical text-xs hover:underline"
          >
            {words}
          </Link>
        ) : (
          <span className="text-critical text-xs">{words}</span>
        ))}
    </span>
  )
}
