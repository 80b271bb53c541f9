import { countryName } from '#app/format/country-name.ts'
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

type FlagProps = {
  /** Alpha-2, as the contract gives it; null for a country that we do not know. */
  code: string | null
}

/** Decoration beside a country's name. */
export function Flag({ code }: FlagProps) {
  const frame = 'inline-block h-3 w-4.5 shrink-0 rounded-[2px]'
  if (!code || !/^[A-Z]{2}$/.test(code)) {
    return <span aria-hidden="true" className={`${frame} border border-line border-dashed`} />
  }
  return (
    <img
      src={`/flags/${code}.svg`}
      alt=""
      width={18}
      height={12}
      className={`${frame} object-cover outline outline-ink/15 -outline-offset-1`}
    />
  )
}
