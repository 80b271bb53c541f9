import { createFileRoute } from '@tanstack/react-router'
import { NewListView } from '#app/features/lists/new-list-view.tsx'

export const Route = createFileRoute('/lists/new')({ component: NewListView })
