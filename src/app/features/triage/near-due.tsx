import type { ReactNode } from 'react'
import { dueWords } from '#app/format/time.ts'
import { useNow } from '#app/ui/use-now.ts'
import type { Due } from '#contract/bff/triage-state.ts'

// Apart from the rest of due times: every first visit of the feed carries it.

/** Rows say nothing of what is due later than this. */
const NEAR_MS = 4 * 3_600_000

type NearDueProps = {
  due: Due
  /** Follows the words. */
  children?: ReactNode
  /** Shown if the case is due later. */
  otherwise?: ReactNode
}

/** Says in a row when a case is due, where that is near or past. */
export function NearDue({ due, children, otherwise = null }: NearDueProps) {
  const leftMs = Date.parse(due.at) - useNow()
  if (leftMs > NEAR_MS) return otherwise
  return (
    <>
      <span className={`font-medium ${leftMs > 0 ? 'text-ink' : 'text-critical'}`}>{dueWords(leftMs)}</span>
      {children}
    </>
  )
}
