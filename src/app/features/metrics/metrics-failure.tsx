import { ApiError } from '#app/api/api-error.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'

/** Why the source's own figures are missing. The window's charts need none of them. */
export function MetricsFailure({ error, onRetry }: { error: Error; onRetry(): void }) {
  const isForbidden = error instanceof ApiError && error.problem.code === 'plan_not_allowed'
  if (!isForbidden) return <ErrorPanel error={error} onRetry={onRetry} />
  return (
    <SectionCard title="The source">
      <EmptyState icon="lock" title="Your plan has no metrics">
        The source gives its figures on the earlier route set, and the plan of Lantern’s key does not include
        it: that takes the Professional or the Enterprise plan. What Lantern counts itself is below.
      </EmptyState>
    </SectionCard>
  )
}
