import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { readBuild, subscribeToBuild } from '#app/api/app-build.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useIsOnline } from '#app/ui/use-is-online.ts'
import { PageAway } from './connection-banner.tsx'

/** Pages that are there open sooner than this. */
const LATE_MS = 300

/** A page whose script is not there yet. It opens by itself once the script has come. */
export function RoutePending() {
  return (
    <div role="status" aria-label="Loading the page…" className="grid gap-3 py-2">
      <Skeleton className="h-6 w-48" />
      <Skeleton className="h-64 w-full rounded-lg" />
    </div>
  )
}

/**
 * Says in the place of the page that the next one cannot be had now. The router itself would go on showing
 * the page before, without an end: it draws no pending page where a pointer that rested on the link had begun the load.
 */
export function PageOrAway({ children }: { children: ReactNode }) {
  const isOnline = useIsOnline()
  const build = useSyncExternalStore(subscribeToBuild, readBuild)
  const isLate = useIsPageLate()
  return isLate && (!isOnline || build !== 'same') ? <PageAway /> : children
}

/** True while the next page is late. Changes of a page's own search do not count. */
function useIsPageLate(): boolean {
  const isWaiting = useRouterState({
    select: ({ status, location, resolvedLocation }) =>
      status === 'pending' && location.pathname !== resolvedLocation?.pathname,
  })
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setIsLate(true), LATE_MS)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [isWaiting])
  return isWaiting && isLate
}
