import { createFileRoute } from '@tanstack/react-router'
import { readLedgerSearch } from '#app/features/alerts/alert-search.ts'
import { LedgerView } from '#app/features/alerts/deliveries/ledger-view.tsx'

// No loader: it would carry the ledger's contract into the script of every first visit.
export const Route = createFileRoute('/alerts/deliveries')({
  validateSearch: readLedgerSearch,
  component: DeliveriesPage,
})

function DeliveriesPage() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <LedgerView
      search={search}
      onSearch={(change) =>
        navigate({ search: (before) => ({ ...before, open: undefined, ...change }), resetScroll: false })
      }
    />
  )
}
