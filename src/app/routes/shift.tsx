import { createFileRoute } from '@tanstack/react-router'
import { readShiftSearch } from '#app/features/shift/shift-search.ts'
import { ShiftView } from '#app/features/shift/shift-view.tsx'

// No loader: its schema is not for the script of every first visit.
export const Route = createFileRoute('/shift')({ validateSearch: readShiftSearch, component: ShiftPage })

function ShiftPage() {
  return <ShiftView since={Route.useSearch().since} />
}
