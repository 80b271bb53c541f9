import { countryName } from '#app/format/country-name.ts'
import { Badge } from '#app/ui/badge.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { Actor } from '#contract/bff/actor.ts'
import { visibleLine } from '#contract/visible-text.ts'

/** Marks an actor that was seen in a country or an industry of the reader's own. */
export function TargetsYou({
  targeted: { countries, industries },
  phrase,
}: Pick<Actor, 'targeted'> & { phrase: string }) {
  const names = [...countries.map(countryName), ...industries.map(visibleLine)]
  if (names.length === 0) return null
  const words = `seen in ${names.join(', ')} in ${phrase}`
  return (
    // Above the row's own link, or its title would not be shown.
    <span className="relative shrink-0" title={`Yours: ${words}`}>
      <Badge>targets you</Badge>
      <VisuallyHidden>, {words}</VisuallyHidden>
    </span>
  )
}
