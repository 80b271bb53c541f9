import { RankedCard } from '#app/features/subject/ranked-card.tsx'
import type { ActorAnswer } from '#contract/bff/actor.ts'

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
