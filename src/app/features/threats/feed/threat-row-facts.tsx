import type { MouseEventHandler, ReactNode } from 'react'
import { SeverityMark } from '#app/ui/severity-mark.tsx'
import { ThreatAge } from '#app/ui/threat-date.tsx'
import { Time } from '#app/ui/time.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Column } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { Absent } from '../absent.tsx'
import { CountryLabel } from '../country-label.tsx'
import { RowLink } from '../row-link.tsx'

type RowFacts = {
  threat: Threat
  /** Values that the filter names are listed first. */
  filter: Pick<ThreatFilter, 'actor' | 'country'>
  isCard: boolean
  /** With no more than fits into one line. */
  isShort: boolean
  onFollow: MouseEventHandler<HTMLAnchorElement>
}

const NAME_MAX_LENGTH = 120

/** Returns the content of a threat's cell. */
export function renderFact(column: Column, facts: RowFacts): ReactNode {
  const { threat, filter, isCard, onFollow } = facts
  const { actors, organizations, countries, industries, category, redacted } = threat
  const name = (text: string) => <Untrusted text={text} clip="silent" maxLength={NAME_MAX_LENGTH} />
  switch (column) {
    case 'severity':
      return <SeverityMark severity={threat.severity} isDerived={threat.isSeverityDerived} />
    case 'actor':
      return (
        <FirstOf values={actors} isFiltered={(actor) => filter.actor?.includes(actor) ?? false}>
          {(actor) => (
            <RowLink path="actors" value={actor} isPlain={isCard} onClick={onFollow}>
              {name(actor)}
            </RowLink>
          )}
        </FirstOf>
      )
    case 'victim':
      return (
        <FirstOf values={organizations} isWithheld={redacted.includes('organizations')}>
          {(victim) => <Untrusted text={victim} clip="silent" maxLength={NAME_MAX_LENGTH} isProse />}
        </FirstOf>
      )
    case 'country':
      return (
        <FirstOf
          values={countries}
          isFiltered={({ code }) => code !== null && (filter.country?.includes(code) ?? false)}
        >
          {(country) => {
            const label = <CountryLabel country={country} className="@max-2xl:sr-only" />
            if (country.code === null) return label
            return (
              <RowLink path="countries" value={country.code} isPlain={isCard} onClick={onFollow}>
                {label}
              </RowLink>
            )
          }}
        </FirstOf>
      )
    case 'published':
      return <Published {...facts} />
    default:
      return (
        <FirstOf values={column === 'industry' ? industries : [category].filter((given) => given !== null)}>
          {name}
        </FirstOf>
      )
  }
}

function Published({ threat, isShort }: RowFacts) {
  const { publishedAt, dateText } = threat
  return (
    <>
      <ThreatAge threat={threat} />
      {!isShort && (
        <span className="@max-2xl:hidden block truncate text-2xs text-faint">
          {publishedAt !== null && <Time at={publishedAt} />}
          {dateText !== undefined && (
            <span>
              given as “<Untrusted text={dateText} clip="silent" maxLength={NAME_MAX_LENGTH} />”
            </span>
          )}
        </span>
      )}
    </>
  )
}

type FirstOfProps<T> = {
  values: readonly T[]
  /** A value of the filter stands first. */
  isFiltered?(value: T): boolean
  isWithheld?: boolean
  children(value: T): ReactNode
}

/** One of several values, and how many more there are. */
function FirstOf<T>({ values, isFiltered = () => false, isWithheld = false, children }: FirstOfProps<T>) {
  const first = values.find(isFiltered) ?? values[0]
  if (first === undefined) return <Absent isWithheld={isWithheld} isShort />
  if (values.length === 1) return children(first)
  return (
    <span className="inline-flex max-w-full gap-1 align-bottom">
      <span className="min-w-0 truncate">{children(first)}</span>{' '}
      <span className="text-faint">+{values.length - 1}</span>
    </span>
  )
}
