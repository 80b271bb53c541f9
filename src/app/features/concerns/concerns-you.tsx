import { Link } from '@tanstack/react-router'
import { count } from '#app/format/count.ts'
import { Badge } from '#app/ui/badge.tsx'
import { usePreferences } from '#app/ui/preferences.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { filterOfPeriod, type Period, periodPhrase } from '#contract/bff/period.ts'
import { type ThreatFilter, VALUES_MAX_COUNT } from '#contract/bff/threat-list.ts'

// Above the row's own link, or its title would not be shown.
const LOOK = 'relative z-1 inline-flex shrink-0 rounded-sm'

type ConcernsYouProps = {
  /** Null where the reader has not chosen countries and industries. */
  concerns: number | null
  /** All threats of the actor or country in the period; null while nothing is stored. */
  threats: number | null
  /** The same in cases, where the page counts these. */
  cases: { concerns: number | null; all: number | null } | undefined
  period: Period
  /** The feed's filter for its threats. */
  filter: ThreatFilter
  /** Leaves the words to screen readers and a title: a row of a table has no room. */
  isShort?: boolean
}

/** Says how many cases or claims were seen in an industry and a country of the reader's own, and leads to them. */
export function ConcernsYou(props: ConcernsYouProps) {
  const { cases, period, filter, isShort = false } = props
  const { concerns, all } = cases ?? { concerns: props.concerns, all: props.threats }
  const { countries, industries } = usePreferences()
  if (!concerns) return null
  const words = `seen in your industries in your countries in ${periodPhrase(period.name)}`
  const nouns = cases ? 'cases' : 'claims'
  const title = `${cases ? 'Cases' : 'Claims'} ${words}`
  const figure = (
    <>
      <Badge>
        {all === null ? count(concerns) : `${count(concerns)} of ${count(all)}`}{' '}
        <span className={isShort ? 'sr-only' : undefined}>
          {nouns} {concerns === 1 ? 'concerns' : 'concern'} you
        </span>
      </Badge>
      <VisuallyHidden>, {words}</VisuallyHidden>
    </>
  )
  // A filter of the feed holds fewer values than a profile: it would list other threats than are counted.
  if (Math.max(countries.length, industries.length) > VALUES_MAX_COUNT) {
    return (
      <span className={LOOK} title={title}>
        {figure}
      </span>
    )
  }
  return (
    <Link
      to="/threats"
      search={{
        country: countries,
        industry: industries,
        ...filter,
        ...filterOfPeriod(period),
        rows: cases ? undefined : 'claims',
      }}
      className={`${LOOK} touch hover:underline`}
      title={title}
    >
      {figure}
    </Link>
  )
}
