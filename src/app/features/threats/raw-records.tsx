import { CopyButton } from '#app/ui/copy-button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import { indentJson } from './indent-json.ts'
import { SET_NAMES } from './set-names.ts'
import { ThreatSection } from './threat-section.tsx'

const JSON_MAX_LENGTH = 6000

/** Each record as the vendor sent it, folded away. */
export function RawRecords({ records }: { records: ThreatDetail['records'] }) {
  return (
    <ThreatSection title="Raw record">
      <div className="divide-y divide-line">
        {records.map(({ set, json }) => (
          <details key={set} className="group">
            <summary className="flex items-center gap-2 px-4 py-2.5 text-sm marker:content-none hover:bg-hover focus-visible:-outline-offset-2">
              <Icon name="chevron-right" className="size-3.5 text-faint group-open:rotate-90" />
              JSON of the {SET_NAMES[set]}
            </summary>
            <div className="grid justify-items-start gap-2 px-4 pb-4">
              <pre className="w-full whitespace-pre-wrap rounded-md border border-line bg-canvas p-3 font-mono text-xs">
                <Untrusted text={indentJson(json)} multiline maxLength={JSON_MAX_LENGTH} isRaw />
              </pre>
              <p className="flex flex-wrap items-center gap-2 text-faint text-xs">
                <CopyButton text={json} label="Copy raw JSON" />
                Addresses in it are live.
              </p>
            </div>
          </details>
        ))}
      </div>
    </ThreatSection>
  )
}
