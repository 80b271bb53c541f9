import { findCountryCode, findFoldedCountry, foldCountryName } from './country.ts'

// ISO's names and vendors' own, folded, where neither CLDR nor a rule below comes to them.
const ALIASES =
  'AR argentine republic|BN brunei darussalam|BQ bonaire sint eustatius and saba|CG congo|CH swiss confederation|CN peoples republic of china|CV cabo verde|FR french republic|GA gabonese republic|GB united kingdom of great britain and northern ireland|GE republic of georgia|GR hellenic republic|HK hong kong china|HK hong kong sar|HK hong kong special administrative region of china|HM heard island and mcdonald islands|IT italian republic|KG kyrgyz republic|KP democratic peoples republic of korea|KP dprk|KR republic of korea|LA lao pdr|LA lao peoples democratic republic|LB lebanese republic|MM burma|MM myanmar|MO macao|MO macao special administrative region of china|MO macau|MO macau sar|MX united mexican states|PN pitcairn|PS occupied palestinian territory|PS palestine|PS palestinian territory|PT portuguese republic|RW rwandese republic|SH saint helena ascension and tristan da cunha|SK slovak republic|SY syrian arab republic|SZ swaziland|TG togolese republic|TL east timor|TW republic of china|TW taiwan province of china|UM united states minor outlying islands|VA holy see|VI united states virgin islands|VI virgin islands of united states'

const codeByAlias = new Map(ALIASES.split('|').map((alias) => [alias.slice(3), alias.slice(0, 2)]))

/** Each means one country only when it stands alone, unlike in "State of Georgia" or "Georgia (USA)". */
const AMBIGUOUS = new Set(['china', 'congo', 'georgia', 'korea'])

const INVERTED = /^([^,(]+)[,(]([^()]+)\)?\s*$/
const FORM_OF_STATE =
  /^(?:\w+ )*?(?:commonwealth|duchy|kingdom|principality|republic|states?|sultanate|union) of /
const BRACKETED_TAIL = /[([][^()[\]]*[)\]]\s*$/

/** The alpha-2 code of a country as others write it: a code or an English name, short or official; null when it is neither. */
export function readCountryCode(text: string): string | null {
  // "Korea, Republic of" and "Korea (Republic of)" are "Republic of Korea".
  const upright = foldCountryName(text.replace(INVERTED, '$2 $1'))
  return (
    findCountryCode(text) ??
    find(foldCountryName(text)) ??
    find(upright) ??
    findShortened(upright.replace(FORM_OF_STATE, '')) ??
    findShortened(foldCountryName(text.replace(BRACKETED_TAIL, '')))
  )
}

function find(folded: string): string | null {
  return codeByAlias.get(folded) ?? findFoldedCountry(folded)
}

function findShortened(folded: string): string | null {
  return AMBIGUOUS.has(folded) ? null : find(folded)
}
