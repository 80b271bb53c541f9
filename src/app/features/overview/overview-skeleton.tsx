import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'

/** As high as the figures that come in its place. */
export function OverviewSkeleton() {
  return (
    <div
      role="status"
      className="grid grid-cols-2 gap-px overflow-clip rounded-lg border border-line bg-surface sm:grid-cols-4"
    >
      <VisuallyHidden>Counting what is new…</VisuallyHidden>
      {['visit', 'day', 'week', 'month'].map((name) => (
        <div key={name} className="grid h-26 content-start gap-2.5 px-4 py-3.5">
          <Skeleton className="h-3 w-28" />
          <Skeleton className="h-6 w-16" />
          <Skeleton className="h-3 w-36" />
        </div>
      ))}
    </div>
  )
}
