import type { MouseEvent } from 'react'
import { closePopoverOf } from '#app/ui/popover.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ThreatList } from '#contract/bff/threat-list.ts'
import { type ExampleSearch, exampleSearches } from './example-searches.ts'
import { FIELD_NOTES } from './field-notes.ts'

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
