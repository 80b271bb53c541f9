import { useQuery } from '@tanstack/react-query'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { LoadingParts } from '#app/ui/loaded-part.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { KeyCard } from './key-card.tsx'
import { keysOptions } from './key-options.ts'
import { ServiceKeys } from './service-keys.tsx'

/** Shows admins the keys for the vendor's API, what they may do, and how to replace them. */
export function ApiAccess() {
  const { data, error, refetch } = useQuery(keysOptions())
  const { data: source } = useQuery(sourceOptions())
  if (!data)
    return error ? (
      <ErrorPanel error={error} onRetry={() => refetch()} />
    ) : (
      <LoadingParts
        label="Loading the API access…"
        heights={['h-96', 'h-96']}
        className="grid gap-4 xl:grid-cols-2"
      />
    )
  const { kind, origin, keys, trialExpiresAt } = data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="max-w-[80ch] text-muted text-sm">
        {kind === 'embedded' ? 'Lantern reads from its own service' : 'Lantern reads from the vendor'} at{' '}
        <code className="wrap-anywhere font-mono text-xs">{origin}</code>. Keys stay on the server: Lantern
        sends them to no browser and does not show them again.
        {trialExpiresAt && (
          <>
            {' '}
            This is a trial key: it expires on <Time at={trialExpiresAt} />.
          </>
        )}
      </p>
      {source?.trouble && (
        <p role="alert" className="max-w-[80ch] text-critical text-sm">
          {source.trouble}
        </p>
      )}
      {error && (
        <p role="alert" className="text-medium text-xs">
          Not current. {error.message}
        </p>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-[repeat(2,minmax(0,1fr))]">
        <KeyCard kind={kind} stored={keys.v1} />
        <KeyCard kind={kind} stored={keys.earlier} />
      </div>
      {kind === 'embedded' && (
        <>
          <ServiceKeys />
          <OwnRecords />
        </>
      )}
    </div>
  )
}

const IMPORT_COMMAND = 'bin/lantern import posts.ndjson.gz'

/** How real records come into Lantern's own service. */
function OwnRecords() {
  return (
    <SectionCard title="Records of your own">
      <div className="grid max-w-[80ch] gap-3 px-4 py-3 text-sm">
        <p>On the server, in Lantern’s folder, while it runs:</p>
        <p className="flex flex-wrap items-center gap-3">
          <code className="wrap-anywhere font-mono text-xs">{IMPORT_COMMAND}</code>
          <CopyButton text={IMPORT_COMMAND} />
        </p>
        <p className="text-muted">
          A file holds a JSON record a line, plain or gzipped; docs/operating/service.md names its fields. The
          first real record removes the demo, and open pages follow within seconds.
        </p>
      </div>
    </SectionCard>
  )
}
