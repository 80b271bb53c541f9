import { FieldList } from '#app/ui/field-list.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import type { ActorDetail } from '#contract/bff/actor.ts'

/** Shows the fields of the vendor's own entry that the store does not count. */
export function ActorFields({ actor: { listedCategories, otherFields } }: { actor: ActorDetail }) {
  const fields = [
    ...(listedCategories.length > 0 ? [{ path: 'Categories', value: listedCategories.join(', ') }] : []),
    ...otherFields,
  ]
  if (fields.length === 0) return null
  return (
    <SectionCard title="In the source’s own list">
      <FieldList fields={fields} className="px-4" />
    </SectionCard>
  )
}
