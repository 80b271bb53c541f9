import { Link } from '@tanstack/react-router'
import { ApiError } from '#app/api/api-error.ts'
import { visibleLine } from '#app/format/visible-text.ts'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'

type ActorFailureProps = { name: string; error: Error; onRetry(): void }

const LINK = 'font-medium text-accent hover:underline'
const NAME_MAX_LENGTH = 200

/** The page of an actor that cannot be shown. */
export function ActorFailure({ name, error, onRetry }: ActorFailureProps) {
  const code = error instanceof ApiError ? error.problem.code : 'internal'
  const isUnknown = code === 'not_found' || code === 'bad_request'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title={visibleLine(name).slice(0, 80).trim() || 'Actor'} />
      <h1 className="font-semibold text-2xl tracking-tight">
        <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" />
      </h1>
      {isUnknown ? (
        <div className="rounded-lg border border-line bg-surface">
          <EmptyState title="No such actor is known">
            <p>{error instanceof ApiError && error.problem.detail}</p>
            <p className="mt-3 flex flex-wrap justify-center gap-4">
              <Link to="/actors" search={{ q: name.slice(0, NAME_MAX_LENGTH) }} className={LINK}>
                Look for a similar name
              </Link>
              <Link to="/threats" search={{ q: name.slice(0, NAME_MAX_LENGTH) }} className={LINK}>
                Search the threats
              </Link>
            </p>
          </EmptyState>
        </div>
      ) : (
        <ErrorPanel error={error} onRetry={onRetry} />
      )}
    </div>
  )
}
