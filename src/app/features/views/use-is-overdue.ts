import { useEffect, useState } from 'react'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

/** An alert profile matches new claims: a case becomes overdue without one. */
export const NO_ALERT_WORDS = 'No alerts: a case becomes overdue without a new record.'

/**
 * Says if a filter or its search finds overdue cases; undefined until that is known. The parser comes when the word stands
 * in the search.
 */
export function useIsOverdue({ triage, q = '' }: ThreatFilter): boolean | undefined {
  const [found, setFound] = useState<{ text: string; isOverdue: boolean } | null>(null)
  const isNeeded = /overdue/i.test(q)
  useEffect(() => {
    if (!isNeeded) return
    import('#matcher/query/find-overdue.ts').then(
      ({ findOverdue }) => setFound({ text: q, isOverdue: findOverdue(q).length > 0 }),
      // The server refuses a profile that it cannot evaluate, and says why.
      () => setFound({ text: q, isOverdue: false }),
    )
  }, [isNeeded, q])
  if (triage === 'overdue') return true
  if (!isNeeded) return false
  return found?.text === q ? found.isOverdue : undefined
}
