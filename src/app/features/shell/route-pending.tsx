import { useSyncExternalStore } from 'react'
import { readBuild, subscribeToBuild } from '#app/api/app-build.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useIsOnline } from '#app/ui/use-is-online.ts'
import { PageAway } from './connection-banner.tsx'

/** A page whose script is not there yet. It opens by itself once the script has come. */
export function RoutePending() {
  const isOnline = useIsOnline()
  const build = useSyncExternalStore(subscribeToBuild, readBuild)
  if (isOnline && build === 'same') return <PageSkeleton />
  return <PageAway />
}

function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading the page…" className="grid gap-3 py-2">
      <Skeleton className="h-6 w-48" />
      <Skeleton className="h-64 w-full rounded-lg" />
    </div>
  )
}
