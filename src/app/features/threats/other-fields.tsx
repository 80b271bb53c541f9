import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ThreatDetail } from '#contract/bff/threat.ts'
import { ThreatSection } from './threat-section.tsx'

const PATH_MAX_LENGTH = 120

/** What the vendor sent and Lantern has no place for. */
export function OtherFields({ fields }: { fields: ThreatDetail['otherFields'] }) {
  if (fields.length === 0) return null
  return (
    <ThreatSection title="Other fields">
      <dl className="divide-y divide-line px-4 text-sm">
        {fields.map(({ path, value }) => (
          <div key={path} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="min-w-0 font-mono text-muted text-xs leading-5">
              <Untrusted text={path} maxLength={PATH_MAX_LENGTH} />
            </dt>
            <dd className="min-w-0">
              <Untrusted text={value} multiline />
            </dd>
          </div>
        ))}
      </dl>
    </ThreatSection>
  )
}
