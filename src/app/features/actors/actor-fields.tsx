import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ActorDetail } from '#contract/bff/actor.ts'

/** What the source's own entry tells beyond what the window counts. */
export function ActorFields({ actor: { listedCategories, otherFields } }: { actor: ActorDetail }) {
  const fields = [
    ...(listedCategories.length > 0 ? [{ path: 'Categories', value: listedCategories.join(', ') }] : []),
    ...otherFields,
  ]
  if (fields.length === 0) return null
  return (
    <SectionCard title="In the source’s own list">
      <dl className="divide-y divide-line px-4 text-sm">
        {fields.map(({ path, value }) => (
          <div key={path} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
            <dt className="min-w-0 text-muted text-xs leading-5">
              <Untrusted text={path} maxLength={120} />
            </dt>
            <dd className="min-w-0">
              <Untrusted text={value} multiline />
            </dd>
          </div>
        ))}
      </dl>
    </SectionCard>
  )
}
