import { useEffect, useState } from 'react'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

/** An alert profile matches new claims: a case becomes overdue without one. */
export const NO_ALERT_WORDS = 'No alerts: a case becomes overdue without a new record.'

/** Returns true if a filter or its search finds overdue cases. Their parser comes when the word stands in the search. */
export function useIsOverdue({ triage, q = '' }: ThreatFilter): boolean {
  const [found, setFound] = useState<{ text: string; isOverdue: boolean } | null>(null)
  const isNeeded = /overdue/i.test(q)
  useEffect(() => {
    if (!isNeeded) return
    import('#matcher/query/find-overdue.ts').then(({ findOverdue }) =>
      setFound({ text: q, isOverdue: findOverdue(q).length > 0 }),
    )
  }, [isNeeded, q])
  // Until it is known, nothing is offered that may not be had.
  return triage === 'overdue' || (isNeeded && (found?.text !== q || found.isOverdue))
}
