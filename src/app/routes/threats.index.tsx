import { createFileRoute } from '@tanstack/react-router'
import { sourceOptions } from '#app/features/source/source-options.ts'
import {
  arrangementOf,
  type ChangeSearch,
  filterOf,
  isArranged,
  isFiltered,
  listScopeOf,
  threatSearchSchema,
} from '#app/features/threats/address/threat-search.ts'
import { ThreatsFeed } from '#app/features/threats/feed/threats-feed.tsx'
import { isLeftBehind, threatListOptions } from '#app/features/threats/threat-options.ts'
import { FeedViews } from '#app/features/views/feed-views.tsx'
import { readPreferences } from '#app/ui/preferences.ts'

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
      views={
        <FeedViews
          shown={{ filter: filterOf(search), arrangement: arrangementOf(search) }}
          requested={search.view}
          onOpen={({ filter, arrangement }, view, options) =>
            navigate({ search: { ...filter, ...arrangement, view }, ...options })
          }
        />
      }
      onChange={changeSearch}
    />
  )
}
