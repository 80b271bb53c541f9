import type * as z from 'zod/mini'
import type { threatCountrySchema } from '#contract/bff/threat.ts'
import { readCountryCode } from '#contract/read-country-code.ts'
import { Fields } from './fields.ts'
import { listOf, readText } from './read-value.ts'

type ThreatCountry = z.infer<typeof threatCountrySchema>

const CODE_NAMES = ['countrycode', 'code', 'iso2', 'alpha2']
const NAME_NAMES = ['name', 'countryname', 'country']

/** Countries, each once: from names, codes, or objects that hold either. Null when there is none. */
export function readCountries(value: unknown): ThreatCountry[] | null {
  const found = new Map<string, ThreatCountry>()
  for (const item of listOf(value)) {
    const fields = Fields.of(item)
    const country = fields
      ? toCountry(fields.take(CODE_NAMES, readText), fields.take(NAME_NAMES, readText))
      : toCountry(null, readText(item))
    const key = country?.code ?? country?.name
    if (country && key !== undefined && !found.has(key)) found.set(key, country)
  }
  return found.size > 0 ? [...found.values()] : null
}

/** A code, a name, or both. The name is the vendor's own text, and the code where there is no other. */
export function toCountry(code: string | null, name: string | null): ThreatCountry | null {
  const text = name ?? code
  if (text === null) return null
  return { code: readCountryCode(code ?? '') ?? readCountryCode(text), name: text }
}
