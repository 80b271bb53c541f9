import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import type { QueryNoun } from '#contract/bff/endpoints.ts'
import { isSignedOut } from './api/api-error.ts'
import { leaveSession } from './features/session/leave-session.ts'
import { sessionKey } from './features/session/session-options.ts'
import { RouteError } from './features/shell/route-error.tsx'
import { RouteNotFound } from './features/shell/route-not-found.tsx'
import { routeTree } from './routeTree.gen.ts'
import { parseSearch, stringifySearch } from './search-text.ts'

const STALE_MS = 30_000

export type AppRouter = ReturnType<typeof createAppRouter>

/** Joins routes and data. Whatever answers `signed_out`, wherever, leads to the sign-in page and back. */
export function createAppRouter({ history }: { history?: RouterHistory } = {}) {
  const leaveWhenSignedOut = (error: unknown) => {
    if (!isSignedOut(error) || router.latestLocation.pathname === '/sign-in') return
    const hadSession = queryClient.getQueryData(sessionKey) !== undefined
    const search = {
      redirect: router.latestLocation.href,
      reason: hadSession ? ('session_ended' as const) : undefined,
    }
    leaveSession(queryClient, () => router.navigate({ to: '/sign-in', search, replace: true }))
  }
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    // The BFF retries where that can help; a second try from here would only spend calls.
    defaultOptions: { queries: { staleTime: STALE_MS, retry: false } },
  })
  const router = createRouter({
    routeTree,
    history,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: RouteNotFound,
    // Code, and what is free: a loader asks `preload` before all else.
    defaultPreload: 'intent',
    // React Query knows how old data is; the router need not.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })
  return router
}

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [QueryNoun, ...unknown[]]
    mutationKey: readonly [QueryNoun, ...unknown[]]
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
