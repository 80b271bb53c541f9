import type { MouseEvent } from 'react'
import { countryName } from '#app/format/country-name.ts'
import { closePopoverOf } from '#app/ui/popover.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { writeValue } from '#matcher/query/print-query.ts'
import { FIELD_NOTES } from './query-language.ts'

type SearchHelpProps = { list: ThreatList | undefined; onSearch(text: string): void }

/** The query language on a card: examples to press, and its fields. */
export function SearchHelp({ list, onSearch }: SearchHelpProps) {
  const search = ({ currentTarget }: MouseEvent, { text }: ExampleSearch) => {
    closePopoverOf(currentTarget)
    onSearch(text)
  }
  return (
    <div className="grid w-160 max-w-full gap-3 p-4">
      <section aria-label="Examples" className="grid gap-1">
        <h2 className="font-medium text-muted text-xs">Examples</h2>
        <ul className="-mx-2 grid gap-0.5">
          {exampleSearches(list).map((example) => (
            <li key={example.text}>
              <button
                type="button"
                className="grid w-full gap-0.5 rounded-md px-2 py-1.5 text-left hover:bg-hover"
                onClick={(event) => search(event, example)}
              >
                <code className="font-mono text-xs wrap-anywhere">
                  <Untrusted text={example.text} maxLength={240} clip="silent" isRaw />
                </code>
                <span className="text-faint text-xs">{example.finds}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Fields" className="grid gap-1.5">
        <h2 className="font-medium text-muted text-xs">Fields</h2>
        <dl className="grid @lg:grid-cols-[auto_1fr_auto_1fr] grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-xs">
          {[...FIELD_NOTES].map(([name, note]) => (
            <div key={name} className="contents">
              <dt className="font-mono">{name}:</dt>
              <dd className="text-muted">{note}</dd>
            </div>
          ))}
        </dl>
      </section>
      <p className="text-faint text-xs">
        Words side by side must all be there. <code>OR</code> is either, a dash leaves out, parentheses group.
        Commas between values are either: <code>country:DE,AT</code>. More is in{' '}
        <code>docs/using/query.md</code> of Lantern’s release.
      </p>
    </div>
  )
}

type ExampleSearch = { text: string; finds: string }

/** Six searches of what the reader has: the newest actor, and the countries, sectors and categories met most. */
export function exampleSearches(list: ThreatList | undefined): ExampleSearch[] {
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
    { text: 'is:open severity:critical', finds: 'Critical, and not closed by the team' },
  ]
}
