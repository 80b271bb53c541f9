import { Skeleton } from './skeleton.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

/** As high as the figures, the chart and the list of a page about one thing. */
export function PartsSkeleton({ label }: { label: string }) {
  return (
    <div role="status" className="grid gap-4">
      <VisuallyHidden>{label}</VisuallyHidden>
      <Skeleton className="h-24 w-full rounded-lg" />
      <Skeleton className="h-80 w-full rounded-lg" />
      <Skeleton className="h-64 w-full rounded-lg" />
    </div>
  )
}
