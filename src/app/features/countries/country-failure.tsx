import { Link } from '@tanstack/react-router'
import { isUnknown } from '#app/api/api-error.ts'
import type { IconName } from '#app/ui/icon.tsx'
import { SubjectFailure } from '#app/ui/subject-failure.tsx'
import { findCountryCode } from '#contract/country.ts'

type CountryFailureProps = { name: string; error: Error; onRetry(): void }

/** The page of a country that cannot be shown. */
export function CountryFailure({ name, error, onRetry }: CountryFailureProps) {
  const icon: IconName = 'globe'
  const unknown = {
    icon,
    title: 'No statistics',
    reason:
      findCountryCode(name) === null
        ? 'Neither Lantern nor the source knows a country of this name. Use the two-letter code, such as DE, or the full English name.'
        : 'Neither Lantern nor the source has a threat that names this country yet.',
    links: (
      <>
        <Link to="/countries">All countries</Link>
        <Link to="/threats" search={{ q: name }}>
          Search the threats
        </Link>
      </>
    ),
  }
  return (
    <SubjectFailure
      name={name}
      noun="Country"
      error={error}
      unknown={isUnknown(error) ? unknown : null}
      onRetry={onRetry}
    />
  )
}
