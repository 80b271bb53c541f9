import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'

/** Before the list. */
export function CountriesSkeleton() {
  return (
    <div role="status" className="grid gap-4">
      <VisuallyHidden>Loading the countries…</VisuallyHidden>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <Skeleton className="h-98 w-full rounded-lg" />
        <Skeleton className="h-98 w-full rounded-lg" />
      </div>
      <Skeleton className="h-96 w-full rounded-lg" />
    </div>
  )
}

/** As high as the map. */
export function MapSkeleton() {
  return (
    <div className="grid gap-2 p-4">
      <Skeleton className="aspect-[800/392] w-full" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  )
}
