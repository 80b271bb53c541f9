import { RankedCard } from '#app/features/subject/ranked-card.tsx'
import { FieldList } from '#app/ui/field-list.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import type { ActorAnswer, ActorDetail } from '#contract/bff/actor.ts'

/** Whom the actor hits, and how. */
export function ActorTargets({ answer }: { answer: ActorAnswer }) {
  const { actor } = answer
  const shared = { answer, figure: actor, filter: { actor: [actor.name] } }
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <RankedCard title="Targeted countries" name="country" counted={actor.countries} {...shared} />
      <RankedCard title="Targeted industries" name="industry" counted={actor.industries} {...shared} />
      <RankedCard title="Categories" name="category" counted={actor.categories} {...shared} />
    </div>
  )
}

/** Shows the fields of the vendor's own entry that the store does not count. */
export function ActorFields({ actor: { listedCategories, otherFields } }: { actor: ActorDetail }) {
  const fields = [
    ...(listedCategories.length > 0 ? [{ path: 'Categories', value: listedCategories.join(', ') }] : []),
    ...otherFields,
  ]
  if (fields.length === 0) return null
  return (
    <SectionCard title="In the vendor’s own list">
      <FieldList fields={fields} className="px-4" />
    </SectionCard>
  )
}
