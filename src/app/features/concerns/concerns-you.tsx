import { Link } from '@tanstack/react-router'
import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { usePreferences } from '#app/ui/preferences.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { filterOfPeriod, type Period, periodPhrase } from '#contract/bff/period.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type ConcernsYouProps = {
  /** Null where the reader has not chosen countries and industries. */
  concerns: number | null
  /** All threats of the actor or country in the period; null while nothing is stored. */
  threats: number | null
  period: Period
  /** The feed's filter for its threats. */
  filter: Pick<ThreatFilter, 'actor' | 'country'>
  /** Leaves the words to screen readers and a title: a row of a table has no room. */
  isShort?: boolean
}

/** Says how many threats were seen in an industry and a country of the reader's own, and leads to them. */
export function ConcernsYou({ concerns, threats, period, filter, isShort = false }: ConcernsYouProps) {
  const { countries, industries } = usePreferences()
  if (!concerns) return null
  const words = `seen in your industries in your countries in ${periodPhrase(period.name)}`
  return (
    // Above the row's own link, or its title would not be shown.
    <Link
      to="/threats"
      search={{ country: countries, industry: industries, ...filter, ...filterOfPeriod(period) }}
      className="touch relative z-1 inline-flex shrink-0 rounded-sm hover:underline"
      title={`Threats ${words}`}
    >
      <Badge>
        {threats === null ? count(concerns) : `${count(concerns)} of ${count(threats)}`}{' '}
        <span className={isShort ? 'sr-only' : undefined}>{concerns === 1 ? 'concerns' : 'concern'} you</span>
      </Badge>
      <VisuallyHidden>, {words}</VisuallyHidden>
    </Link>
  )
}
