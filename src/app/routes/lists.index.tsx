import { createFileRoute } from '@tanstack/react-router'
import { ListsView } from '#app/features/lists/lists-view.tsx'

// No loader: it would carry the schema of lists into the script of every first visit.
export const Route = createFileRoute('/lists/')({ component: ListsView })
