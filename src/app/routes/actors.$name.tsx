import { createFileRoute, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ActorView } from '#app/features/actors/actor-view.tsx'
import { ThreatExportButton } from '#app/features/export/threat-export-button.tsx'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import { readPeriodSearch } from '#app/features/periods/period-search.ts'
import { usePeriod } from '#app/features/periods/use-period.ts'
import { TrendPanel } from '#app/features/trends/trend-panel.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { lazyWhenIdle, whenIdle } from '#app/ui/when-idle.ts'
import { carryText, readCarriedText } from '#contract/bff/path-segment.ts'
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

export const Route = createFileRoute('/actors/$name')({
  params: {
    parse: ({ name }) => ({ name: readCarriedText(name) }),
    stringify: ({ name }) => ({ name: carryText(name.toWellFormed()) }),
  },
  validateSearch: readPeriodSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { name }, deps: { period }, preload }) => {
    import('#app/features/actors/load-actors.ts').then(({ loadActor }) =>
      loadActor(queryClient, { name, period }, preload),
    )
  },
  component: ActorPage,
})

function ActorPage() {
  const { name } = Route.useParams()
  const navigate = Route.useNavigate()
  const period = usePeriod(Route.useSearch())
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Link
        to="/actors"
        search={{ period: periodParam(period.name) }}
        className="inline-flex w-fit items-center gap-1.5 rounded-sm text-muted text-sm hover:text-ink"
      >
        <Icon name="arrow-left" className="size-3.5" />
        Actors
      </Link>
      <ActorView
        key={name}
        name={name}
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
            subject={known}
            scope={{ actor: [known] }}
            period={period.name}
            by="category"
            fileName="actor-by-day"
          />
        )}
        renderLatest={(known) => (
          <Suspense fallback={<Skeleton className="h-80" />}>
            <LatestThreats filter={{ actor: [known] }} />
          </Suspense>
        )}
        renderTools={(known) => (
          <ThreatExportButton query={{ actor: [known], timeZone: 'UTC' }} variant="secondary" />
        )}
        renderFollow={(known) => (
          <Suspense fallback={<i className="h-8 w-24 max-sm:h-11" />}>
            <FollowButton
              name={known}
              filter={{ actor: [known] }}
              render={(watch) => <WatchDialog {...watch} />}
            />
          </Suspense>
        )}
      />
    </div>
  )
}
