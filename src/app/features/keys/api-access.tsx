import { useQuery } from '@tanstack/react-query'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Time } from '#app/ui/time.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { KeyCard } from './key-card.tsx'
import { keysOptions } from './key-options.ts'
import { ServiceKeys } from './service-keys.tsx'

/** Which keys the vendor's API is asked with, what they may do, and how to replace them. For admins. */
export function ApiAccess() {
  const { data, error, refetch } = useQuery(keysOptions())
  if (!data) return error ? <ErrorPanel error={error} onRetry={() => refetch()} /> : <ApiAccessSkeleton />
  const { kind, origin, keys, trialExpiresAt } = data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="max-w-[80ch] text-muted text-sm">
        {kind === 'embedded' ? 'Lantern asks its own service' : 'Lantern asks the vendor'} at{' '}
        <code className="wrap-anywhere font-mono text-xs">{origin}</code>. Keys stay on the server: no browser
        ever gets one, and nobody can read one back.
        {trialExpiresAt && (
          <>
            {' '}
            This is a trial key: it expires on <Time at={trialExpiresAt} />.
          </>
        )}
      </p>
      {error && (
        <p role="alert" className="text-medium text-xs">
          Not current. {error.message}
        </p>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-[repeat(2,minmax(0,1fr))]">
        <KeyCard stored={keys.v1} />
        <KeyCard stored={keys.earlier} />
      </div>
      {kind === 'embedded' && <ServiceKeys />}
    </div>
  )
}

function ApiAccessSkeleton() {
  return (
    <div role="status" className="grid gap-4 xl:grid-cols-2">
      <VisuallyHidden>Loading the API access…</VisuallyHidden>
      <Skeleton className="h-96 w-full rounded-lg" />
      <Skeleton className="h-96 w-full rounded-lg" />
    </div>
  )
}
