import type { ReactNode } from 'react'
import { roughDuration } from '#app/format/time.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Time } from '#app/ui/time.tsx'
import { useNow } from '#app/ui/use-now.ts'
import type { Due } from '#contract/bff/triage-state.ts'

/** Rows say nothing of what is due later than this. */
const NEAR_MS = 4 * 3_600_000

type NearDueProps = {
  due: Due
  /** Something follows in the same line. */
  hasMore?: boolean
  /** Shown if the case is due later. */
  otherwise?: ReactNode
}

/** Says in the second line of a row when a case is due, where that is near or past. */
export function NearDue({ due, hasMore = false, otherwise = null }: NearDueProps) {
  const leftMs = Date.parse(due.at) - useNow()
  if (leftMs > NEAR_MS) return otherwise
  return (
    <>
      <span className={`font-medium ${leftMs > 0 ? 'text-ink' : 'text-critical'}`}>{dueWords(leftMs)}</span>
      {hasMore && ' · '}
    </>
  )
}

/** The same beside the title of a row of one line, which has few words where the page is narrow. */
export function NearDueBadge({ due }: { due: Due }) {
  const leftMs = Date.parse(due.at) - useNow()
  if (leftMs > NEAR_MS) return null
  const isLate = leftMs <= 0
  return (
    <span className="inline-flex shrink-0">
      <Badge tone={isLate ? 'danger' : 'neutral'}>
        <span className="@max-2xl:sr-only">{dueWords(leftMs)}</span>
        <span aria-hidden="true" className="@2xl:hidden">
          {isLate ? 'Late' : 'Due'} {roughDuration(Math.abs(leftMs))}
        </span>
      </Badge>
    </span>
  )
}

/** Says how long a case has until it is due, or since when it is overdue. */
export function DueBadge({ due }: { due: Due }) {
  const leftMs = Date.parse(due.at) - useNow()
  return <Badge tone={leftMs > 0 ? 'neutral' : 'danger'}>{dueWords(leftMs)}</Badge>
}

function dueWords(leftMs: number): string {
  return leftMs > 0 ? `Due in ${roughDuration(leftMs)}` : `Overdue by ${roughDuration(-leftMs)}`
}

/** Says when a case is due, and by which rule. */
export function DueRule({ due: { at, knownAt, severity, hours } }: { due: Due }) {
  return (
    <p className="border-line border-b px-4 py-2 text-muted text-sm">
      {Date.parse(at) > useNow() ? 'Due' : 'Overdue since'} <Time at={at} />: {hours} h for severity{' '}
      {severity}, from <Time at={knownAt} />, when Lantern learned of it.
    </p>
  )
}
