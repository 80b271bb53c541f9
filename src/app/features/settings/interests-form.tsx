import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { threatsKey } from '#app/features/threats/threat-options.ts'
import { countryName } from '#app/format/country-name.ts'
import { ChipField, type ChipNote } from '#app/ui/chip-field.tsx'
import { changePreferences, readPreferences } from '#app/ui/preferences.ts'
import { threatListSchema } from '#contract/bff/threat-list.ts'
import { findCountryCode } from '#contract/country.ts'

const MAX_COUNT = 50

/** Which countries and industries are one's own: a threat in one of both concerns the reader. */
export function InterestsForm() {
  const { data: source } = useQuery(sourceOptions())
  const hasThreats = source !== undefined && source.window.status !== 'empty'
  const { data: known = [] } = useQuery(industryOptions(hasThreats))
  const [countries, setCountries] = useState(() => readPreferences().countries.map(countryName))
  const [industries, setIndustries] = useState(() => readPreferences().industries)

  const chooseCountries = (names: readonly string[]) => {
    const known = names.map((name) => {
      const code = findCountryCode(name)
      return code ? countryName(code) : name
    })
    const kept = unique(known)
    setCountries(kept)
    changePreferences({ countries: kept.map(findCountryCode).filter((code) => code !== null) })
  }
  const chooseIndustries = (names: readonly string[]) => {
    const kept = unique(names)
    setIndustries(kept)
    changePreferences({ industries: kept })
  }

  return (
    <div className="grid gap-4 p-4">
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
        onChange={chooseIndustries}
      />
    </div>
  )
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim().slice(0, 120))
    .filter(Boolean)
}

function noteOfCountry(name: string): ChipNote | null {
  return findCountryCode(name) ? null : { tone: 'danger', text: 'no country has this name' }
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, MAX_COUNT)
}

const STALE_MS = 5 * 60_000

/** The industries that the window's records name, the most frequent first; free, and so only where there is a window. */
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
