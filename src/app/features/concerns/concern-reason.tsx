import { Badge } from '#app/ui/badge.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { describeReason, KIND_WORDS } from '#contract/bff/describe-concern.ts'
import type { Concern } from '#contract/bff/list-match.ts'

const NAME_MAX_LENGTH = 60

/** The strongest reason why a threat concerns the reader; a question mark where a person has to confirm it. */
export function ConcernReason({ concerns, isShort }: { concerns: readonly Concern[]; isShort: boolean }) {
  const [first, ...others] = concerns
  if (!first) return null
  const isCertain = first.certainty === 'certain'
  const reason = describeReason(first)
  return (
    // Above the link of a row, or its title would not be shown.
    <span
      className="relative inline-flex min-w-0 max-w-60 shrink-0 print:max-w-full print:shrink print:[&_*]:h-auto print:[&_*]:whitespace-normal"
      title={reason}
    >
      <Badge tone={isCertain ? 'danger' : 'warning'}>
        {KIND_WORDS[first.kind]}
        {isCertain ? '' : '?'}
        <span className={isShort ? 'max-sm:sr-only print:not-sr-only' : undefined}>
          {isCertain ? ': ' : ' '}
          <Untrusted text={first.entryName} maxLength={NAME_MAX_LENGTH} clip="silent" />
        </span>
        {others.length > 0 && ` +${others.length}`}
        <span className="sr-only print:not-sr-only"> ({reason})</span>
      </Badge>
    </span>
  )
}
