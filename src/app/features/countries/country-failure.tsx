import { Link } from '@tanstack/react-router'
import { ApiError } from '#app/api/api-error.ts'
import { visibleLine } from '#app/format/visible-text.ts'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { findCountryCode } from '#contract/country.ts'

type CountryFailureProps = { name: string; error: Error; onRetry(): void }

const LINK = 'font-medium text-accent hover:underline'
const NAME_MAX_LENGTH = 80

/** The page of a country that cannot be shown. */
export function CountryFailure({ name, error, onRetry }: CountryFailureProps) {
  const code = error instanceof ApiError ? error.problem.code : 'internal'
  const isUnknown = code === 'not_found' || code === 'bad_request'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title={visibleLine(name).slice(0, NAME_MAX_LENGTH).trim() || 'Country'} />
      <h1 className="font-semibold text-2xl tracking-tight">
        <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" />
      </h1>
      {isUnknown ? (
        <div className="rounded-lg border border-line bg-surface">
          <EmptyState icon="globe" title="No statistics">
            <p>
              {findCountryCode(name) === null
                ? 'Neither Lantern nor the source knows a country of this name. Use the two-letter code, such as DE, or the full English name.'
                : 'Neither Lantern nor the source holds a threat that names this country yet.'}
            </p>
            <p className="mt-3 flex flex-wrap justify-center gap-4">
              <Link to="/countries" className={LINK}>
                All countries
              </Link>
              <Link to="/threats" search={{ q: name }} className={LINK}>
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
