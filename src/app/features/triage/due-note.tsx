import { dueWords } from '#app/format/time.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Time } from '#app/ui/time.tsx'
import { useNow } from '#app/ui/use-now.ts'
import type { Due } from '#contract/bff/triage-state.ts'

/** Says how long a case has until it is due, or since when it is overdue. */
export function DueBadge({ due }: { due: Due }) {
  const leftMs = Date.parse(due.at) - useNow()
  return <Badge tone={leftMs > 0 ? 'neutral' : 'danger'}>{dueWords(leftMs)}</Badge>
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
