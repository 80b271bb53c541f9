import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Actor } from '#contract/bff/actor.ts'

/** Says how many threats of an actor were seen in an industry and a country of the reader's own. */
export function ConcernsYou({
  concerns,
  mentions,
  phrase,
}: Pick<Actor, 'concerns' | 'mentions'> & { phrase: string }) {
  if (!concerns) return null
  const words = `seen in your industries in your countries in ${phrase}`
  return (
    // Above the row's own link, or its title would not be shown.
    <span className="relative shrink-0" title={`Threats ${words}`}>
      <Badge>
        {mentions === null ? count(concerns) : `${count(concerns)} of ${count(mentions)}`}{' '}
        {concerns === 1 ? 'concerns' : 'concern'} you
      </Badge>
      <VisuallyHidden>, {words}</VisuallyHidden>
    </span>
  )
}
