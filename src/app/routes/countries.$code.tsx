import { createFileRoute, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { CountryView } from '#app/features/countries/country-view.tsx'
import { ThreatExportButton } from '#app/features/export/threat-export-button.tsx'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import { readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { countryName } from '#app/format/country-name.ts'
import { Icon } from '#app/ui/icon.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { lazyWhenIdle, whenIdle } from '#app/ui/when-idle.ts'
import { periodParam } from '#contract/bff/period.ts'

// Below what a reader looks at first.
const LatestThreats = lazy(async () => {
  await whenIdle()
  const { LatestThreats } = await import('#app/features/latest/latest-threats.tsx')
  return { default: LatestThreats }
})

const FollowButton = lazyWhenIdle(
  async () => (await import('#app/features/views/follow-button.tsx')).FollowButton,
)

// Not on the way to the page: fetched when first needed.
const WatchDialog = lazy(async () => ({
  default: (await import('#app/features/alerts/watches/watch-dialog.tsx')).WatchDialog,
}))

export const Route = createFileRoute('/countries/$code')({
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { code }, deps: { period }, preload }) => {
    // The source's own part may cost a call: not for a pointer that passes over a list.
    if (preload) return
    import('#app/features/countries/load-countries.ts').then(({ loadCountry }) =>
      loadCountry(queryClient, { code, period }),
    )
  },
  component: CountryPage,
})

function CountryPage() {
  const { code } = Route.useParams()
  const navigate = Route.useNavigate()
  const period = usePeriod(Route.useSearch())
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Link
        to="/countries"
        search={{ period: periodParam(period.name) }}
        className="inline-flex w-fit items-center gap-1.5 rounded-sm text-muted text-sm hover:text-ink"
      >
        <Icon name="arrow-left" className="size-3.5" />
        Countries
      </Link>
      <CountryView
        key={code}
        given={code}
        period={period.name}
        periodPicker={
          <PeriodControl
            period={period}
            onChoose={(chosen) => navigate({ search: { period: chosen }, resetScroll: false })}
          />
        }
        renderTrend={(known) => (
          <TrendPanel
            title="Threats by category"
            subject={countryName(known)}
            scope={{ country: [known] }}
            period={period.name}
            by="category"
            fileName={`threats-by-day-${known}`}
          />
        )}
        renderLatest={(known) => (
          <Suspense fallback={<Skeleton className="h-80" />}>
            <LatestThreats filter={{ country: [known] }} />
          </Suspense>
        )}
        renderTools={(known) => (
          <ThreatExportButton query={{ country: [known], timeZone: 'UTC' }} variant="secondary" />
        )}
        renderFollow={(known) => (
          <Suspense fallback={<i className="h-8 w-24 max-sm:h-11" />}>
            <FollowButton
              name={countryName(known)}
              filter={{ country: [known] }}
              render={(watch) => <WatchDialog {...watch} />}
            />
          </Suspense>
        )}
        cost={<CallCost calls="1" />}
      />
    </div>
  )
}
