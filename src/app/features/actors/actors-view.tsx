import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, useDeferredValue } from 'react'
import { PeriodControl } from '#app/features/periods/period-control.tsx'
import { storedPhrase } from '#app/features/periods/period-options.ts'
import { useRows } from '#app/features/periods/use-rows.ts'
import { count, countOf } from '#app/format/count.ts'
import { AgeNote } from '#app/ui/age-note.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { DraftTextField } from '#app/ui/draft-text-field.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { ExportButton } from '#app/ui/export/export-button.tsx'
import { usePreferences } from '#app/ui/preferences.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ActorList } from '#contract/bff/actor.ts'
import { periodParam } from '#contract/bff/period.ts'
import { ACTOR_GRID } from './actor-grid.ts'
import { actorListOptions, type OwnInterests } from './actor-options.ts'
import type { ActorSearch } from './actor-search.ts'
import { ActorTable } from './actor-table.tsx'
import { ListingNote } from './listing-note.tsx'

const ActorsExport = lazy(async () => ({ default: (await import('./actors-export.tsx')).ActorsExport }))

type ActorsViewProps = {
  /** With the name of the period that is shown. */
  search: ActorSearch & { period: string }
  onSearch(q: string | undefined): void
}

/** Who is being talked about, who is on the rise, and who is after the likes of us. */
export function ActorsView({ search, onSearch }: ActorsViewProps) {
  const { countries, industries, timeZone } = usePreferences()
  const own = { countries, industries }
  const list = useQuery(actorListOptions({ ...search, rows: useRows() }, own, timeZone))
  // Drawn in slices, below what a reader presses meanwhile.
  const data = useDeferredValue(list.data)
  const { error, refetch } = list
  const isOld = data !== list.data || list.isPlaceholderData

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <DocumentTitle title="Actors" />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-semibold text-xl tracking-tight">Actors</h1>
        <p role="status" className="min-w-20 text-muted text-sm tabular-nums">
          {data && describe(data, search)}
        </p>
        <PeriodControl />
        {data ? <AgeNote freshness={data.freshness} /> : !error && <Skeleton className="h-4 w-72" />}
        <span className="ml-auto">
          <ExportButton
            disabled={isOld || !data || data.actors.length === 0}
            renderDialog={(close) => data && <ActorsExport list={data} search={search} onClose={close} />}
          />
        </span>
      </div>
      <div className="@container -mx-4 border-line border-y bg-surface sm:mx-0 sm:rounded-lg sm:border-x">
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2 px-3 pt-3">
          <DraftTextField
            label="Search"
            type="search"
            icon="search"
            placeholder="Name or alias"
            maxLength={200}
            className="w-full @2xl:w-64"
            value={search.q ?? ''}
            onCommit={(text) => onSearch(text || undefined)}
          />
          <ActorTabs search={search} tabs={data?.tabs} />
        </div>
        {error && !data && (
          <div className="p-4">
            <ErrorPanel error={error} onRetry={() => refetch()} />
          </div>
        )}
        {!data && !error && <ActorTableSkeleton />}
        {data && data.actors.length === 0 && <ActorsEmpty search={search} list={data} own={own} />}
        {data && data.actors.length > 0 && (
          <div className={isOld ? 'opacity-60 transition-opacity' : undefined}>
            <ActorTable list={data} search={search} />
          </div>
        )}
      </div>
      {data && <ListingNote listing={data.listing} phrase={storedPhrase(data)} />}
    </div>
  )
}

function describe({ actors, total }: ActorList, { q }: ActorSearch): string {
  const all = countOf(total, 'actor')
  if (total > actors.length) return `${all}, the first ${count(actors.length)} shown: search to find others`
  return q ? `${all} found` : all
}

const ROWS = Array.from({ length: 12 }, (_, index) => index)

/** The table before its first answer. */
function ActorTableSkeleton() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the actors…</VisuallyHidden>
      <div className="min-h-9 border-line border-b" />
      {ROWS.map((row) => (
        <div key={row} className={`${ACTOR_GRID} h-13 content-center border-line border-b`}>
          <Skeleton className="h-3 w-2/3 [grid-area:name]" />
          <Skeleton className="h-3 w-1/2 [grid-area:targets]" />
          <Skeleton className="h-3 w-1/2 [grid-area:category] @max-4xl:hidden" />
          <Skeleton className="h-5 w-16 [grid-area:spark] @4xl:w-30" />
          <Skeleton className="h-3 w-10 justify-self-end [grid-area:mentions]" />
          <Skeleton className="h-3 w-10 justify-self-end [grid-area:listed]" />
          <Skeleton className="h-3 w-10 justify-self-end [grid-area:week]" />
          <Skeleton className="h-3 w-12 justify-self-end [grid-area:latest]" />
        </div>
      ))}
    </div>
  )
}

const TABS = [
  {
    tab: undefined,
    of: 'all',
    label: 'All',
    hint: 'All actors that are stored, and all that the vendor lists',
  },
  {
    tab: 'rising',
    of: 'rising',
    label: 'Rising',
    hint: 'More in the last 7 days, today so far, than in the same part of the 7 days before',
  },
  { tab: 'new', of: 'new', label: 'New', hint: 'First seen in the last 7 days' },
  {
    tab: 'concerning',
    of: 'concerning',
    label: 'Concerning us',
    hint: 'Seen in one of your industries in one of your countries, in the chosen period',
  },
] as const

type ActorTabsProps = { search: ActorSearch & { period: string }; tabs: ActorList['tabs'] | undefined }

function ActorTabs({ search, tabs }: ActorTabsProps) {
  return (
    <nav aria-label="Which actors" className="-mx-3 flex min-w-0 gap-1 overflow-x-auto px-2">
      {TABS.map(({ tab, of, label, hint }) => {
        const isOpen = search.tab === tab
        const found = tabs?.[of] ?? null
        return (
          <Link
            key={label}
            to="/actors"
            search={{ ...search, period: periodParam(search.period), tab }}
            title={hint}
            aria-current={isOpen ? 'page' : undefined}
            activeProps={{}}
            className={`flex h-10 shrink-0 items-center gap-1.5 border-b-2 px-2 font-medium text-sm focus-visible:-outline-offset-2 ${isOpen ? 'border-accent text-ink' : 'border-transparent text-muted hover:text-ink'}`}
          >
            {label}
            {found !== null && (
              <span className="font-normal text-faint text-xs tabular-nums">{count(found)}</span>
            )}
          </Link>
        )
      })}
    </nav>
  )
}

type ActorsEmptyProps = { search: ActorSearch; list: ActorList; own: OwnInterests }

const LINK = 'font-medium text-accent hover:underline'

/** Why there is no actor to see, and what to do about it. */
function ActorsEmpty({ search, list, own }: ActorsEmptyProps) {
  const { title, words } = explain(search, list, own)
  return (
    <EmptyState icon={search.q ? 'search' : 'clock'} title={title}>
      {words}
    </EmptyState>
  )
}

function explain(
  { q, tab }: ActorSearch,
  { tabs }: ActorList,
  own: OwnInterests,
): { title: string; words: ReactNode } {
  if (tab === 'concerning' && (own.countries.length === 0 || own.industries.length === 0)) {
    return {
      title: 'Choose your countries and industries',
      words: (
        <>
          Actors that were seen in one of your industries in one of your countries appear here. Choose both in{' '}
          <Link to="/settings" className={LINK}>
            Settings
          </Link>
          .
        </>
      ),
    }
  }
  if (tab && tabs[tab] === null) {
    return {
      title: 'Not available yet',
      words: 'This needs two weeks of threats. Lantern has not stored that much so far.',
    }
  }
  if (q) {
    return {
      title: 'No actor of that name',
      words: (
        <>
          Try a part of the name, or{' '}
          <Link to="/threats" search={{ q }} className={LINK}>
            search the threats for it
          </Link>
          .
        </>
      ),
    }
  }
  if (tab) return { title: 'None at the moment', words: 'No actor is in this group today.' }
  return { title: 'No actors yet', words: 'They appear as Lantern reads threats that name them.' }
}
