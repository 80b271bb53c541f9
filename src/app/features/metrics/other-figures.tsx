import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Metrics } from '#contract/bff/metrics.ts'

const MAX_LENGTH = 200

/** What the source tells besides the documented figures, as it tells it. */
export function OtherFigures({ fields }: { fields: Metrics['otherFields'] }) {
  return (
    <SectionCard title="Other fields">
      <dl className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 py-3 text-sm">
        {fields.map(({ path, value }) => (
          <div key={path} className="contents">
            <dt className="text-muted">
              <Untrusted text={path} maxLength={MAX_LENGTH} clip="silent" />
            </dt>
            <dd className="text-right">
              <Untrusted text={value} maxLength={MAX_LENGTH} />
            </dd>
          </div>
        ))}
      </dl>
    </SectionCard>
  )
}
