import { countryName } from '#app/format/country-name.ts'
import { Flag } from './flag.tsx'
import { Untrusted } from './untrusted.tsx'

type CountryLabelProps = {
  country: { code: string | null; name: string }
  /** How the name beside the flag looks. */
  className?: string
}

/** Our name for a country that we know, the vendor's text for any other. */
export function CountryLabel({ country: { code, name }, className }: CountryLabelProps) {
  return (
    // One thing: as the only child of a flex box the blank between them stays.
    <span>
      <Flag code={code} />{' '}
      <span className={className}>
        {code === null ? <Untrusted text={name} clip="silent" maxLength={80} /> : countryName(code)}
      </span>
    </span>
  )
}
