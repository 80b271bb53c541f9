import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { ThreatsFeed } from '#app/features/threats/feed/threats-feed.tsx'
import type { ChangeSearch } from '#app/features/threats/search/change-search.ts'
import {
  arrangementOf,
  filterOf,
  isArranged,
  isFiltered,
  listScopeOf,
  threatSearchSchema,
} from '#app/features/threats/search/threat-search.ts'
import { isLeftBehind, threatListOptions } from '#app/features/threats/threat-options.ts'
import { useTriage } from '#app/features/triage/triage-provider.tsx'
import { FeedViews } from '#app/features/views/feed-views.tsx'
import { readPreferences, useTimeZone } from '#app/ui/preferences.ts'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'

const ThreatExportButton = lazyWhenIdle(
  async () => (await import('#app/features/export/threat-export-button.tsx')).ThreatExportButton,
)
const ArrangeMenu = lazyWhenIdle(
  async () => (await import('#app/features/threats/feed/arrange-menu.tsx')).ArrangeMenu,
)
const LoadMissing = lazyWhenIdle(
  async () => (await import('#app/features/periods/load-history.tsx')).LoadMissing,
)
const DisplayButton = lazyWhenIdle(
  async () => (await import('#app/features/threats/feed/display-button.tsx')).DisplayButton,
)
// Not on the way to the first page: fetched when first needed.
const TriageButtons = lazy(async () => ({
  default: (await import('#app/features/triage/triage-buttons.tsx')).TriageButtons,
}))
const TriageMenu = lazy(async () => ({
  default: (await import('#app/features/triage/list-triage.tsx')).TriageMenu,
}))
const RowActs = lazy(async () => ({
  default: (await import('#app/features/triage/list-triage.tsx')).RowActs,
}))
const ProofDialog = lazy(async () => ({
  default: (await import('#app/features/factors/proof-dialog.tsx')).ProofDialog,
}))
const BulkButtons = lazy(async () => ({
  default: (await import('#app/features/triage/list-triage.tsx')).BulkButtons,
}))

export const Route = createFileRoute('/threats/')({
  validateSearch: threatSearchSchema,
  loaderDeps: ({ search }) => listScopeOf(search, readPreferences().timeZone),
  context: () => ({ source: sourceOptions() }),
  loader: ({ context: { queryClient, source }, deps }) => {
    const isFirst = queryClient.getQueryData(source.queryKey) === undefined
    const list = threatListOptions(deps)
    queryClient.removeQueries({ queryKey: list.queryKey, exact: true, predicate: isLeftBehind })
    // Not awaited: the page stands at once, and the list shows that it is on its way.
    queryClient
      .prefetchInfiniteQuery(list)
      // The server learns from its first answer whether the data is demo data.
      .then(() => (isFirst ? queryClient.invalidateQueries(source) : undefined))
    queryClient.prefetchQuery(source)
  },
  component: ThreatsPage,
})

function ThreatsPage() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const timeZone = useTimeZone()
  const { isAllowed, start, undo } = useTriage()

  const changeSearch: ChangeSearch = (change, { replace = false, keepScroll = false } = {}) => {
    navigate({
      search: (before) => {
        const after = { ...before, ...(typeof change === 'function' ? change(before) : change) }
        const isLeft = isFiltered(before) || (before.view && isArranged(before) && !isArranged(after))
        // An empty address would open the default view, which is not what whoever drops the last filter wants.
        return isLeft && !isFiltered(after) ? { ...after, view: 'all' } : after
      },
      replace,
      resetScroll: !keepScroll,
    })
  }

  return (
    <ThreatsFeed
      search={search}
      openCost={<CallCost calls="1–2" subject="Opening a threat" />}
      triage={{
        isAllowed,
        renderTools: (id, state) => (
          <Suspense>
            <TriageButtons state={state} onCommand={(command) => start(command, [id])} />
          </Suspense>
        ),
        renderMenu: (menuId, id, state) => (
          <Suspense>
            <TriageMenu
              id={menuId}
              state={state}
              onCommand={(command) => id !== undefined && start(command, [id])}
            />
          </Suspense>
        ),
        renderBulkTools: (ids) =>
          isAllowed && <BulkButtons ids={ids} onCommand={(command) => start(command, ids)} />,
        renderActs: ({ hasCommands, ...row }) => (
          <Suspense>
            <RowActs
              {...row}
              onCommand={isAllowed && hasCommands ? (command) => start(command, [row.threat.id]) : undefined}
            />
          </Suspense>
        ),
        onCommand: start,
        onUndo: undo,
      }}
      tools={
        <>
          <FeedViews
            shown={{ filter: filterOf(search), arrangement: arrangementOf(search) }}
            requested={search.view}
            proof={<ProofDialog />}
            onOpen={({ filter, arrangement }, view, options) =>
              navigate({ search: { ...filter, ...arrangement, view }, ...options })
            }
          />
          <span className="ml-auto flex min-w-0 items-center gap-2 max-sm:gap-0">
            <Suspense>
              <ArrangeMenu search={search} onChange={changeSearch} />
              <DisplayButton search={search} onChange={changeSearch} />
              <ThreatExportButton query={listScopeOf(search, timeZone)} />
            </Suspense>
          </span>
        </>
      }
      renderLoads={(coverage) => <LoadMissing coverage={coverage} />}
      onChange={changeSearch}
    />
  )
}
