const ALPHA_2_CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'

/** ISO 3166-1 alpha-2, and XK, which feeds use for Kosovo. */
export const COUNTRY_CODES: readonly string[] = ALPHA_2_CODES.split(' ')

// Everyday spellings that CLDR does not have. read-country-code.ts knows the others, which would weigh on the app.
const ALIASES: readonly (readonly [string, string])[] = [
  ['uae', 'AE'],
  ['dr congo', 'CD'],
  ['drc', 'CD'],
  ['democratic republic of congo', 'CD'],
  ['republic of congo', 'CG'],
  ['ivory coast', 'CI'],
  ['czech republic', 'CZ'],
  ['britain', 'GB'],
  ['england', 'GB'],
  ['great britain', 'GB'],
  ['northern ireland', 'GB'],
  ['scotland', 'GB'],
  ['uk', 'GB'],
  ['wales', 'GB'],
  ['hong kong', 'HK'],
  ['korea', 'KR'],
  ['macedonia', 'MK'],
  ['holland', 'NL'],
  ['russian federation', 'RU'],
  ['turkey', 'TR'],
  ['america', 'US'],
  ['us', 'US'],
  ['united states of america', 'US'],
  ['usa', 'US'],
  ['viet nam', 'VN'],
]

type Names = { byCode: ReadonlyMap<string, string>; codeByFolded: ReadonlyMap<string, string> }
let known: Names | undefined

/** Made when first needed: it would take a slow phone a quarter of the time in which the app starts. */
function names(): Names {
  known ??= readNames()
  return known
}

function readNames(): Names {
  const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const byCode = new Map(COUNTRY_CODES.map((code) => [code, english.of(code) ?? code]))
  const codeByFolded = new Map([...byCode].map(([code, name]) => [foldCountryName(name), code]))
  for (const [alias, code] of ALIASES) codeByFolded.set(alias, code)
  return { byCode, codeByFolded }
}

/** The English name of an alpha-2 code, in any letter case; null for an unknown code. */
export function countryName(code: string): string | null {
  return names().byCode.get(code.toUpperCase()) ?? null
}

/** Names that several countries share: none of them is meant more than another. */
export const SHARED_COUNTRY_NAMES: ReadonlyMap<string, readonly string[]> = new Map([['congo', ['CD', 'CG']]])

/** The alpha-2 code of a code or an English name, in any letter case; null when it is neither. */
export function findCountryCode(codeOrName: string): string | null {
  const code = codeOrName.trim().toUpperCase()
  return COUNTRY_CODES.includes(code) ? code : findFoldedCountry(foldCountryName(codeOrName))
}

/** The code of a name that is folded already. */
export function findFoldedCountry(folded: string): string | null {
  return names().codeByFolded.get(folded) ?? null
}

/** One spelling for all that differ in case, accents, punctuation, `&`, `St.` and `the`. */
export function foldCountryName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’.]/gu, '')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\bst\b/g, 'saint')
    .replace(/\bthe\b ?/g, '')
    .trim()
}
