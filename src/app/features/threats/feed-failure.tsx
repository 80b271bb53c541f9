import { ApiError } from '#app/api/api-error.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { listActiveFilters } from './active-filters.ts'
import type { ChangeSearch } from './change-search.ts'
import type { ThreatSearch } from './threat-search.ts'

type FeedFailureProps = { error: Error; search: ThreatSearch; onChange: ChangeSearch; onRetry(): void }

const FINAL_CODES = new Set(['bad_request', 'filter_not_supported'])

/** Why there is no list. A refused filter can be dropped from here; asking again would not help. */
export function FeedFailure({ error, search, onChange, onRetry }: FeedFailureProps) {
  const fields = error instanceof ApiError ? (error.problem.fields ?? []) : []
  const refused = listActiveFilters(search, useTimeZone()).flatMap((filter) => {
    const field = fields.find(({ name }) => name === filter.name)
    return field ? [{ ...filter, reason: field.reason }] : []
  })
  const isFinal = error instanceof ApiError && FINAL_CODES.has(error.problem.code)
  return (
    <div className="grid gap-3 p-4">
      <ErrorPanel error={error} onRetry={isFinal ? undefined : onRetry} />
      <ul className="grid max-w-2xl gap-2">
        {refused.map(({ name, label, value, reason, without }) => (
          <li key={`${name} ${value}`} className="flex flex-wrap items-center justify-between gap-2 text-sm">
            <span className="min-w-0">
              <span className="font-medium">
                {label}: <Untrusted text={value} maxLength={60} />
              </span>{' '}
              <span className="text-muted">{reason}</span>
            </span>
            <Button size="small" icon="x" onClick={() => onChange(without)}>
              Remove {label}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
