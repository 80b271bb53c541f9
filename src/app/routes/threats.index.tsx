import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useRouter } from '@tanstack/react-router'
import { CallCost } from '#app/features/source/call-cost.tsx'
import { sourceOptions } from '#app/features/source/source-options.ts'
import type { ChangeSearch } from '#app/features/threats/change-search.ts'
import { useFeedPlace } from '#app/features/threats/feed-place.tsx'
import { threatListOptions } from '#app/features/threats/threat-options.ts'
import { filterOf, questionOf, threatSearchSchema } from '#app/features/threats/threat-search.ts'
import { ThreatsFeed } from '#app/features/threats/threats-feed.tsx'
import { readPreferences } from '#app/ui/preferences.ts'

export const Route = createFileRoute('/threats/')({
  validateSearch: threatSearchSchema,
  loaderDeps: ({ search }) => filterOf(search),
  context: () => ({ source: sourceOptions() }),
  loader: ({ context: { queryClient, source }, deps }) => {
    const isFirst = queryClient.getQueryData(source.queryKey) === undefined
    // Not awaited: the page stands at once, and the list shows that it is on its way.
    queryClient
      .prefetchInfiniteQuery(threatListOptions(questionOf(deps, readPreferences().timeZone)))
      // What a source is, demo data or not, the server itself learns from its first answer.
      .then(() => (isFirst ? queryClient.invalidateQueries(source) : undefined))
    queryClient.prefetchQuery(source)
  },
  component: ThreatsPage,
})

function ThreatsPage() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { history } = useRouter()
  const { place, setPlace } = useFeedPlace()
  const { data: source } = useQuery(Route.useRouteContext().source)
  const historyIndex = history.location.state.__TSR_index

  const changeSearch: ChangeSearch = (change, { replace = false, keepScroll = false } = {}) => {
    navigate({
      search: (before) => ({ ...before, ...(typeof change === 'function' ? change(before) : change) }),
      replace,
      resetScroll: !keepScroll,
    })
  }

  return (
    <ThreatsFeed
      search={search}
      source={source}
      initialActiveId={place?.historyIndex === historyIndex ? place.threatId : null}
      costs={{
        refresh: <CallCost calls="1" />,
        open: <CallCost calls="1–2" subject="Opening a threat" />,
      }}
      onChange={changeSearch}
      onOpen={({ id }) => setPlace({ search, historyIndex, threatId: id })}
    />
  )
}
