import { queryOptions, useQuery } from '@tanstack/react-query'
import { getJson } from '#app/api/get-json.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { threatsKey } from '#app/features/threats/threat-options.ts'
import { countryName } from '#app/format/country-name.ts'
import { ChipField, type ChipNote } from '#app/ui/chip-field.tsx'
import type { Preferences } from '#app/ui/preferences.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { findCountryCode } from '#contract/country.ts'

const MAX_COUNT = 50

/** Countries as they were typed, also those that no country is called, and industries. */
export type Interests = { countries: readonly string[]; industries: readonly string[] }

export function readInterests({ countries, industries }: Preferences): Interests {
  return { countries: countries.map(countryName), industries }
}

/** Returns what the account stores: codes of known countries, and the industries. */
export function storedInterests({ countries, industries }: Interests) {
  return {
    countries: countries.map(findCountryCode).filter((code) => code !== null),
    industries: [...industries],
  }
}

type InterestFieldsProps = { interests: Interests; onChange(interests: Interests): void }

/** Edits the countries and industries that are one’s own: a threat in one of both concerns the reader. */
export function InterestFields({ interests, onChange }: InterestFieldsProps) {
  const { data: source } = useQuery(sourceOptions())
  const hasThreats = source !== undefined && source.window.status !== 'empty'
  const { data: known = [] } = useQuery(industryOptions(hasThreats))
  const { countries, industries } = interests

  const chooseCountries = (names: readonly string[]) => {
    const named = names.map((name) => {
      const code = findCountryCode(name)
      return code ? countryName(code) : name
    })
    onChange({ industries, countries: unique(named) })
  }

  return (
    <>
      <p className="text-muted text-sm">
        A threat that names one of your industries and one of your countries concerns you. Actors show how
        many of their threats do.
      </p>
      <ChipField
        label="My countries"
        name="countries"
        hint="A name or a two-letter code. Enter or a comma ends one."
        placeholder="Germany, FR…"
        values={countries}
        split={splitList}
        noteOf={noteOfCountry}
        onChange={chooseCountries}
      />
      <ChipField
        label="My industries"
        name="industries"
        hint="As the records name them."
        placeholder="Healthcare…"
        suggestions={known.filter((name) => !industries.includes(name))}
        values={industries}
        split={splitList}
        onChange={(names) => onChange({ countries, industries: unique(names) })}
      />
    </>
  )
}

/** Without the characters that nobody sees, which accounts do not store. */
function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.replace(/\s/g, ' ').trim().slice(0, 120).replace(/\p{C}/gu, '').trim())
    .filter(Boolean)
}

function noteOfCountry(name: string): ChipNote | null {
  return findCountryCode(name) ? null : { tone: 'danger', text: 'no country has this name' }
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, MAX_COUNT)
}

const STALE_MS = 5 * 60_000

/** The industries that stored threats name, the most frequent first. It costs no call, so it is empty until threats are stored. */
function industryOptions(hasThreats: boolean) {
  return queryOptions({
    queryKey: [...threatsKey, 'industries'],
    queryFn: async ({ signal }): Promise<string[]> => {
      const { facets } = await getJson('threats', threatListSchema, { query: { timeZone: 'UTC' }, signal })
      return facets?.industry.map(({ value }) => value) ?? []
    },
    enabled: hasThreats,
    staleTime: STALE_MS,
  })
}
