import { countryName } from '#app/format/country-name.ts'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { writeValue } from '#matcher/query/print-query.ts'

export type ExampleSearch = { text: string; finds: string }

/** Six searches of what the reader has: the newest actor, and the countries, sectors and categories met most. */
export function exampleSearches(list: Pick<ThreatList, 'threats' | 'facets'> | undefined): ExampleSearch[] {
  const newest = list?.threats.find(({ actors }) => actors.length > 0)?.actors[0]
  const most = (name: 'country' | 'industry' | 'category' | 'actor', at: number, otherwise: string) =>
    list?.facets?.[name].at(at)?.value ?? otherwise
  const actor = newest ?? most('actor', 0, 'LockBit')
  const [first, second] = [most('country', 0, 'DE'), most('country', 1, 'AT')]
  const industry = most('industry', 0, 'Healthcare')
  const category = most('category', 0, 'Ransomware')
  return [
    {
      text: `(hospital OR klinik) country:${first},${second} after:yesterday -university`,
      finds: `Either word, in ${countryName(first)} or ${countryName(second)}, since yesterday, without a third`,
    },
    { text: `actor:${writeValue(actor)} after:30d`, finds: 'One actor’s last 30 days' },
    { text: `industry:${writeValue(industry)} severity:>=high`, finds: 'A sector, high and critical' },
    {
      text: `category:${writeValue(category)} -country:${first}`,
      finds: `A category, outside of ${countryName(first)}`,
    },
    { text: '"data leak" OR breach*', finds: 'Words next to each other, or one by its beginning' },
    { text: 'is:open severity:critical', finds: 'Critical, and not dismissed by the team' },
  ]
}
