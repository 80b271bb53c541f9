import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { findOwnList, listsOptions, searchOfList } from '#app/features/lists/list-options.ts'
import { threatHeadOptions } from '#app/features/threats/threat-options.ts'
import { countOf } from '#app/format/count.ts'
import { explainError } from '#app/ui/action-error.tsx'
import { buttonLook } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { usePreferences } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { type ThreatFilter, VALUES_MAX_COUNT } from '#contract/bff/threat-list.ts'

const LINK = 'touch rounded-sm text-accent hover:underline'

/** Counts the stored threats that concern the user, each figure with its feed. Nothing is requested from the vendor. */
export function WelcomeFound() {
  const { countries, industries, timeZone } = usePreferences()
  const { data: listed, error } = useQuery(listsOptions())
  const own = listed && findOwnList(listed.lists)
  const hasInterests = countries.length + industries.length > 0
  // The feed takes this many values of one filter.
  const isCountable = Math.max(countries.length, industries.length) <= VALUES_MAX_COUNT
  return (
    <div className="grid max-w-2xl grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title="What Lantern found" />
      <h1 ref={takeFocus} tabIndex={-1} className="font-semibold text-xl tracking-tight">
        What Lantern found
      </h1>
      <SectionCard title="Stored threats">
        <ul className="grid gap-2 p-4 text-sm">
          {error && <li className="text-critical">Your domains: {explainError(error).message}.</li>}
          {own && (
            <Found
              of="Your domains"
              filter={{ q: searchOfList(own, listed.lists) }}
              timeZone={timeZone}
              isMatching={own.isMatching}
            />
          )}
          {hasInterests && isCountable && (
            <Found
              of={interestWords(countries.length, industries.length)}
              filter={{
                ...(countries.length > 0 && { country: countries }),
                ...(industries.length > 0 && { industry: industries }),
                within: '30d',
              }}
              timeZone={timeZone}
              range=" in the last 30 days"
            />
          )}
          {!own && !hasInterests && !error && (
            <li className="text-muted">Enter countries, industries or domains to see what concerns you.</li>
          )}
        </ul>
        {hasInterests && (countries.length === 0 || industries.length === 0) && (
          <p className="border-line border-t px-4 py-3 text-muted text-sm">
            A threat concerns you if it names one of your industries and one of your countries. Enter both.
          </p>
        )}
      </SectionCard>
      <div className="flex flex-wrap items-center gap-3">
        <Link to="/" className={`${buttonLook({ variant: 'primary' })} max-sm:h-11`}>
          Open the overview
        </Link>
        <Link to="/welcome" className={`${buttonLook({ variant: 'quiet' })} max-sm:h-11`}>
          Change answers
        </Link>
      </div>
    </div>
  )
}

type FoundProps = {
  of: string
  filter: ThreatFilter
  timeZone: string
  range?: string
  /** The figure is not known before. */
  isMatching?: boolean
}

function Found({ of, filter, timeZone, range = '', isMatching = false }: FoundProps) {
  const { data, error } = useQuery({
    ...threatHeadOptions({ ...filter, timeZone }),
    enabled: !isMatching,
  })
  return (
    <li>
      <p role="status">
        {of}:{' '}
        {isMatching ? (
          'comparing with all stored threats…'
        ) : data ? (
          <>
            <Link to="/threats" search={filter} className={LINK}>
              {countOf(data.total, 'threat')}
            </Link>
            {range}
            {!data.isTotalExact && ' so far'}
          </>
        ) : error ? (
          <span className="text-critical">{explainError(error).message}.</span>
        ) : (
          'counting…'
        )}
      </p>
    </li>
  )
}

/** `Your sector in your countries` */
function interestWords(countries: number, industries: number): string {
  const country = countries === 1 ? 'country' : 'countries'
  const sector = industries === 1 ? 'sector' : 'sectors'
  if (industries === 0) return `Your ${country}`
  return countries === 0 ? `Your ${sector}` : `Your ${sector} in your ${country}`
}

/** The form that had the focus is gone. */
function takeFocus(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true })
}
