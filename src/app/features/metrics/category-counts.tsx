import { count } from '#app/format/count.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { BarList } from '#app/ui/chart/bar-list.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { MetricsAnswer } from '#contract/bff/metrics.ts'

const MAX_COUNT = 20
const NAME_MAX_LENGTH = 80

/** Threats by category, as the source counts them. */
export function CategoryCounts({ metrics: { categories, totalThreats }, freshness }: MetricsAnswer) {
  const ranked = categories.toSorted((a, b) => (b.count ?? -1) - (a.count ?? -1))
  const rest = ranked.slice(MAX_COUNT).reduce((sum, category) => sum + (category.count ?? 0), 0)
  return (
    <SectionCard
      title="All threats by category"
      note={<span className="text-faint text-xs">claims, reported by vendor</span>}
      tools={<AgeNote freshness={freshness} />}
    >
      {ranked.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">
          {totalThreats === 0 ? 'The source has no threats yet.' : 'The source does not count by category.'}
        </p>
      ) : (
        <BarList
          label="All threats by category"
          rows={ranked.slice(0, MAX_COUNT).map(({ name, count }) => ({
            key: name,
            label: <Untrusted text={name} maxLength={NAME_MAX_LENGTH} clip="silent" />,
            count,
          }))}
        />
      )}
      {rest > 0 && (
        <p className="px-4 pb-3 text-faint text-xs">
          {count(ranked.length - MAX_COUNT)} more categories with {count(rest)} claims.
        </p>
      )}
    </SectionCard>
  )
}

/** As tall as some categories are. */
export function CategoryCountsSkeleton() {
  return (
    <SectionCard title="All threats by category">
      <div className="grid gap-4 px-4 py-4">
        {['w-full', 'w-4/5', 'w-3/5', 'w-1/2', 'w-2/5', 'w-1/3'].map((width) => (
          <Skeleton key={width} className={`h-4.5 ${width}`} />
        ))}
      </div>
    </SectionCard>
  )
}
