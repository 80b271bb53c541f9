import { createRandom, type Random } from '#service/random.ts'
import { DEMO_COUNTRIES } from './demo-countries.ts'

export type DemoOrganization = { name: string; country: string; industry: string; domain: string }

const ORGANIZATION_COUNT = 2400

// Each industry with the words that its companies are named by. Most often hit first.
const INDUSTRIES: readonly [Industry, ...Industry[]] = [
  { name: 'Manufacturing', words: ['Castings', 'Tooling', 'Components', 'Machine Works'] },
  { name: 'Healthcare', words: ['Clinics', 'Medical Group', 'Hospital', 'Diagnostics'] },
  { name: 'Business Services', words: ['Consulting', 'Partners', 'Outsourcing', 'Staffing'] },
  { name: 'Technology', words: ['Systems', 'Software', 'Cloud', 'Networks'] },
  { name: 'Financial Services', words: ['Credit Union', 'Capital', 'Insurance', 'Savings Bank'] },
  { name: 'Construction', words: ['Builders', 'Civil Works', 'Roofing', 'Contractors'] },
  { name: 'Retail', words: ['Stores', 'Outfitters', 'Market', 'Trading'] },
  { name: 'Education', words: ['College', 'School District', 'Institute', 'University'] },
  { name: 'Government', words: ['City Council', 'County Office', 'Tax Agency', 'Port Authority'] },
  { name: 'Transportation', words: ['Logistics', 'Freight', 'Airways', 'Shipping'] },
  { name: 'Legal Services', words: ['Law Offices', 'Attorneys', 'Notaries', 'Legal'] },
  { name: 'Energy', words: ['Power', 'Gas', 'Solar', 'Utilities'] },
  { name: 'Hospitality', words: ['Hotels', 'Resorts', 'Catering', 'Travel'] },
  { name: 'Agriculture', words: ['Farms', 'Dairy', 'Grain', 'Vineyards'] },
  { name: 'Telecommunications', words: ['Telecom', 'Fibre', 'Mobile', 'Broadband'] },
  { name: 'Media', words: ['Press', 'Broadcasting', 'Studios', 'Daily'] },
  { name: 'Pharmaceuticals', words: ['Pharma', 'Laboratories', 'Biotech', 'Therapeutics'] },
  { name: 'Water Utilities', words: ['Waterworks', 'Water District', 'Reservoirs', 'Sanitation'] },
]
type Industry = { name: string; words: readonly [string, ...string[]] }

const STARTS = [
  'Vel',
  'Nor',
  'Kas',
  'Tor',
  'Bry',
  'Ond',
  'Mar',
  'Quel',
  'Sav',
  'Hol',
  'Fen',
  'Dra',
  'Lum',
  'Ost',
] as const
const MIDDLES = ['', 'a', 'e', 'i', 'o', 'an', 'er', 'il', 'um', 'ar'] as const
const ENDS = [
  'mora',
  'dale',
  'wick',
  'stad',
  'vane',
  'tor',
  'brook',
  'lia',
  'nek',
  'holm',
  'ridge',
  'sen',
] as const

const LEGAL_FORMS: ReadonlyMap<string, string> = new Map([
  ...forms('GmbH', 'DE AT CH'),
  ...forms('Inc.', 'US CA PH'),
  ...forms('Ltd', 'GB IE IN NZ HK NG KE GH'),
  ...forms('S.A.', 'FR ES AR CL PE LU BE GR PT MA'),
  ...forms('S.r.l.', 'IT RO'),
  ...forms('B.V.', 'NL'),
  ...forms('AB', 'SE'),
  ...forms('Oy', 'FI'),
  ...forms('Pty Ltd', 'AU ZA'),
  ...forms('K.K.', 'JP'),
  ...forms('Sp. z o.o.', 'PL'),
  ...forms('Ltda.', 'BR'),
])

const PUBLIC_INDUSTRIES = new Set(['Education', 'Government', 'Water Utilities'])

const DOMAIN_ENDS = ['.example', '.example', '.example.com', '.example.net', '.example.org'] as const

/** Draws an invented organization. Some are drawn again and again, as real victims are. */
export function drawOrganization(random: Random): DemoOrganization {
  return createOrganization(createRandom(1_000_000 + random.between(1, ORGANIZATION_COUNT)))
}

function createOrganization(random: Random): DemoOrganization {
  const country = random.pickSkewed(DEMO_COUNTRIES)
  const industry = random.pickSkewed(INDUSTRIES)
  const stem = random.pick(STARTS) + random.pick(MIDDLES) + random.pick(ENDS)
  const word = random.pick(industry.words)
  const legalForm = PUBLIC_INDUSTRIES.has(industry.name) ? undefined : LEGAL_FORMS.get(country)
  const hasLegalForm = legalForm !== undefined && random.chance(0.5)
  const slug = `${stem}-${word}`.toLowerCase().replaceAll(' ', '-')

  return {
    name: hasLegalForm ? `${stem} ${word} ${legalForm}` : `${stem} ${word}`,
    country,
    industry: industry.name,
    domain: slug + random.pick(DOMAIN_ENDS),
  }
}

function forms(legalForm: string, countries: string): [string, string][] {
  return countries.split(' ').map((country) => [country, legalForm])
}
