import { createFileRoute } from '@tanstack/react-router'
import { readAlertsSearch } from '#app/features/alerts/alert-search.ts'
import { AlertsView } from '#app/features/alerts/alerts-view.tsx'
import { readPreferences } from '#app/ui/preferences.ts'

export const Route = createFileRoute('/alerts/')({
  validateSearch: readAlertsSearch,
  loader: ({ context: { queryClient }, preload }) => {
    // It may cost a call.
    if (preload) return
    import('#app/features/alerts/alert-options.ts').then(({ alertListOptions }) =>
      queryClient.prefetchQuery(alertListOptions(readPreferences().timeZone)),
    )
  },
  component: AlertsPage,
})

function AlertsPage() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()

  return (
    <AlertsView
      search={search}
      onFind={(find) =>
        navigate({
          search: (before) => ({ ...before, find: find || undefined }),
          replace: true,
          resetScroll: false,
        })
      }
      onExplain={(threat) => navigate({ search: (before) => ({ ...before, threat }), resetScroll: false })}
    />
  )
}
