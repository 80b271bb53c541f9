import { lazy, Suspense } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import type { ChangeSearch } from '../address/change-search.ts'
import type { ThreatSearch } from '../address/threat-search.ts'

// Not on the way to the first page: fetched when first needed.
const RefusedFilters = lazy(async () => ({
  default: (await import('../filters/refused-filters.tsx')).RefusedFilters,
}))

type FeedFailureProps = { error: Error; search: ThreatSearch; onChange: ChangeSearch; onRetry(): void }

/** Why there is no list. A refused filter can be dropped from here; asking again would not help. */
export function FeedFailure({ error, search, onChange, onRetry }: FeedFailureProps) {
  const fields = error instanceof ApiError ? error.problem.fields : undefined
  return (
    <div className="grid gap-3 p-4">
      {fields?.[0]?.from === undefined && <ErrorPanel error={error} onRetry={onRetry} />}
      {fields && (
        <Suspense>
          <RefusedFilters fields={fields} search={search} onChange={onChange} />
        </Suspense>
      )}
    </div>
  )
}
