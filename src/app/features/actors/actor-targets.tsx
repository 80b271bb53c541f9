import { Link } from '@tanstack/react-router'
import { countryName } from '#app/format/country-name.ts'
import { heldDays } from '#app/format/held-days.ts'
import { BAR_LINK, BarList } from '#app/ui/chart/bar-list.tsx'
import { Flag } from '#app/ui/flag.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { ActorDetail } from '#contract/bff/actor.ts'
import type { Freshness } from '#contract/bff/freshness.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type ActorTargetsProps = {
  actor: ActorDetail
  /** The first day that is counted: links lead to exactly what a bar counts. */
  from: string | undefined
  freshness: Freshness
}

const SHOWN_MAX_COUNT = 10

/** Whom the actor hits, and how. */
export function ActorTargets({ actor, from, freshness }: ActorTargetsProps) {
  const { name, countries, industries, categories } = actor
  const base: ThreatFilter = { actor: [name], from }
  return (
    <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
      <Part
        title="Targeted countries"
        counted={countries}
        freshness={freshness}
        filterOf={(code) => ({ ...base, country: [code] })}
        isCountry
      />
      <Part
        title="Targeted industries"
        counted={industries}
        freshness={freshness}
        filterOf={(industry) => ({ ...base, industry: [industry] })}
      />
      <Part
        title="Categories"
        counted={categories}
        freshness={freshness}
        filterOf={(category) => ({ ...base, category: [category] })}
      />
    </div>
  )
}

type PartProps = {
  title: string
  counted: ActorDetail['countries']
  freshness: Freshness
  filterOf(value: string): ThreatFilter
  isCountry?: boolean
}

function Part({ title, counted, freshness, filterOf, isCountry = false }: PartProps) {
  const rows = counted.slice(0, SHOWN_MAX_COUNT).map(({ value, count }) => ({
    key: value,
    label: isCountry ? countryName(value) : <Untrusted text={value} clip="silent" maxLength={80} />,
    count,
  }))
  const more = counted.length - rows.length
  return (
    <SectionCard title={title} note={more > 0 && <span className="text-faint text-xs">and {more} more</span>}>
      {rows.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">Not told by any threat of {heldDays(freshness)}.</p>
      ) : (
        <BarList
          label={`${title}, threats in ${heldDays(freshness, '30 days')}`}
          rows={rows}
          renderLink={({ key, label }) => (
            <span className="flex min-w-0 items-center gap-2">
              {isCountry && <Flag code={key} />}
              <Link to="/threats" search={filterOf(key)} className={BAR_LINK}>
                {label}
              </Link>
            </span>
          )}
        />
      )}
    </SectionCard>
  )
}
