import { Link } from '@tanstack/react-router'
import { ApiError } from '#app/api/api-error.ts'
import { buttonLook } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'

/** Why there is no list of profiles. */
export function AlertsFailure({ error, onRetry }: { error: Error; onRetry(): void }) {
  if (error instanceof ApiError && error.problem.code === 'plan_not_allowed') {
    return (
      <EmptyState icon="lock" title="Alert profiles are not in your plan">
        <p>
          <Untrusted text={error.detail} maxLength={400} clip="silent" />
        </p>
        <p className="mt-2">
          They take a plan that includes the API’s earlier route set. The builder’s backtest works all the
          same.
        </p>
        <Link to="/alerts/new" className={`mt-4 ${buttonLook()}`}>
          Try keywords
        </Link>
      </EmptyState>
    )
  }
  return (
    <div className="p-4">
      <ErrorPanel error={error} onRetry={onRetry} />
    </div>
  )
}
