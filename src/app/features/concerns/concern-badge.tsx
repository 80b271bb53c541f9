import { Suspense } from 'react'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import type { Concern } from '#contract/bff/list-match.ts'

// Few threats concern anybody.
const ConcernReason = lazyWhenIdle(async () => (await import('./concern-reason.tsx')).ConcernReason)

type ConcernBadgeProps = {
  concerns: readonly Concern[] | undefined
  /** Names the entry for screen readers only where the page is narrow: a row's title needs the room. */
  isShort?: boolean
}

/** Says by which list a threat concerns the reader; nothing where by none. */
export function ConcernBadge({ concerns, isShort = false }: ConcernBadgeProps) {
  if (!concerns || concerns.length === 0) return null
  return (
    <Suspense fallback={null}>
      <ConcernReason concerns={concerns} isShort={isShort} />
    </Suspense>
  )
}
