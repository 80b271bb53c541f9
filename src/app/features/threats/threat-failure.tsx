import { ApiError } from '#app/api/api-error.ts'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import type { ProblemCode } from '#contract/bff/problem.ts'

type ThreatFailureProps = { error: Error; onRetry(): void }

const HEADINGS: ReadonlyMap<ProblemCode, string> = new Map([
  ['bad_request', 'There is no such threat'],
  ['not_found', 'Threat not found'],
  ['plan_not_allowed', 'This threat lies outside your plan'],
  ['upstream_unreadable', 'This threat could not be read'],
])
const FINAL_CODES: ReadonlySet<ProblemCode> = new Set(['bad_request', 'not_found', 'plan_not_allowed'])

/** The page of a threat that cannot be shown. */
export function ThreatFailure({ error, onRetry }: ThreatFailureProps) {
  const code = error instanceof ApiError ? error.problem.code : 'internal'
  const heading = HEADINGS.get(code) ?? 'This threat did not load'
  return (
    <div className="grid gap-4 py-8">
      <DocumentTitle title={heading} />
      <h1 className="font-semibold text-2xl tracking-tight">{heading}</h1>
      <ErrorPanel error={error} onRetry={FINAL_CODES.has(code) ? undefined : onRetry} />
    </div>
  )
}
