import { Suspense } from 'react'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import type { Concern } from '#contract/bff/concern.ts'

// Few threats concern anybody.
const ConcernReason = lazyWhenIdle(async () => (await import('./concern-reason.tsx')).ConcernReason)

/** Says by which list a threat concerns the reader; nothing where by none. */
export function ConcernBadge({ concerns }: { concerns: readonly Concern[] | undefined }) {
  if (!concerns || concerns.length === 0) return null
  return (
    <Suspense fallback={null}>
      <ConcernReason concerns={concerns} />
    </Suspense>
  )
}
