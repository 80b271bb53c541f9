import type { MouseEventHandler, ReactNode } from 'react'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import { Absent } from './absent.tsx'
import { CountryLabel } from './country-label.tsx'
import { RowLink } from './row-link.tsx'

type ThreatRowFactsProps = {
  threat: Threat
  /** What it names stands first. */
  filter: Pick<ThreatFilter, 'actor' | 'country'>
  isCard: boolean
  onFollow: MouseEventHandler<HTMLAnchorElement>
}

const NAME_MAX_LENGTH = 120
const LINE = 'min-w-0 truncate self-center'

/** The cells of who, whom, where and what. */
export function ThreatRowFacts({ threat, filter, isCard, onFollow }: ThreatRowFactsProps) {
  const { actors, organizations, countries, category, redacted } = threat
  const name = (text: string) => <Untrusted text={text} clip="silent" maxLength={NAME_MAX_LENGTH} />
  return (
    <>
      <td className={`${LINE} [grid-area:actor]`}>
        <FirstOf values={actors} isAsked={(actor) => filter.actor?.includes(actor) ?? false}>
          {(actor) => (
            <RowLink path="actors" value={actor} isPlain={isCard} onClick={onFollow}>
              {name(actor)}
            </RowLink>
          )}
        </FirstOf>
      </td>
      <td className={`${LINE} @max-2xl:sr-only [grid-area:victim] @max-5xl:text-muted`}>
        <FirstOf values={organizations} isWithheld={redacted.includes('organizations')}>
          {name}
        </FirstOf>
      </td>
      <td className={`${LINE} [grid-area:country] @max-2xl:text-right`}>
        <FirstOf
          values={countries}
          isAsked={({ code }) => code !== null && (filter.country?.includes(code) ?? false)}
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
      </td>
      <td className={`${LINE} text-muted [grid-area:category]`}>
        <FirstOf values={category === null ? [] : [category]}>{name}</FirstOf>
      </td>
    </>
  )
}

type FirstOfProps<T> = {
  values: readonly T[]
  /** What the reader asked for stands first. */
  isAsked?(value: T): boolean
  isWithheld?: boolean
  children(value: T): ReactNode
}

/** One of several values, and how many more there are. */
function FirstOf<T>({ values, isAsked = () => false, isWithheld = false, children }: FirstOfProps<T>) {
  const first = values.find(isAsked) ?? values[0]
  if (first === undefined) return <Absent isWithheld={isWithheld} isShort />
  if (values.length === 1) return children(first)
  return (
    <span className="inline-flex max-w-full gap-1 align-bottom">
      <span className="min-w-0 truncate">{children(first)}</span>{' '}
      <span className="text-faint">+{values.length - 1}</span>
    </span>
  )
}
