import type { MouseEventHandler } from 'react'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Threat } from '#contract/bff/threat.ts'
import { CountryLabel } from './country-label.tsx'
import { FirstOf } from './first-of.tsx'
import { RowLink } from './row-link.tsx'

type ThreatRowFactsProps = {
  threat: Threat
  /** Named by the filters: they stand first. */
  askedActors: readonly string[] | undefined
  askedCountries: readonly string[] | undefined
  isCard: boolean
  onFollow: MouseEventHandler<HTMLAnchorElement>
}

const NAME_MAX_LENGTH = 120
const LINE = 'min-w-0 truncate self-center'

/** The cells of who, whom, where and what. */
export function ThreatRowFacts({
  threat,
  askedActors,
  askedCountries,
  isCard,
  onFollow,
}: ThreatRowFactsProps) {
  const { actors, organizations, countries, category, redacted } = threat
  const name = (text: string) => <Untrusted text={text} clip="silent" maxLength={NAME_MAX_LENGTH} />
  return (
    <>
      <td className={`${LINE} [grid-area:actor]`}>
        <FirstOf values={actors} isAsked={(actor) => askedActors?.includes(actor) ?? false}>
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
          isAsked={({ code }) => code !== null && (askedCountries?.includes(code) ?? false)}
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
