import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { lazy } from 'react'
import type { QueryNoun } from '#contract/bff/endpoints.ts'
import type { Session } from '#contract/bff/session.ts'
import { isSignedOut } from './api/api-error.ts'
import { leaveSession } from './features/session/leave-session.ts'
import { followSession, noteSession } from './features/session/session-hint.ts'
import { sessionOptions } from './features/session/session-options.ts'
import { RouteError } from './features/shell/route-error.tsx'
import { RoutePending } from './features/shell/route-pending.tsx'
import { routeTree } from './routeTree.gen.ts'
import { parseSearch, stringifySearch } from './search-text.ts'

const STALE_MS = 30_000
/** Answers stay readable for this long without a connection. */
const KEPT_MS = 60 * 60_000

export type AppRouter = ReturnType<typeof createAppRouter>

type AppRouterOptions = {
  history?: RouterHistory
  /** Loads a page outside the app: the BFF's sign-in page. */
  openAddress?: (address: string) => void
}

/** Joins routes and data. Whatever answers `signed_out`, wherever and in whichever tab, leads to the sign-in page and back. */
export function createAppRouter({
  history,
  openAddress = (address) => location.replace(address),
}: AppRouterOptions = {}) {
  let isLeaving = false
  /** Once: what is refused after a sign-out leads nowhere else. */
  const leaveFor = (address: string) => {
    if (!isLeaving) leaveSession(queryClient, () => openAddress(address))
    isLeaving = true
  }
  const leave = (place: Record<string, string>) =>
    leaveFor(`/sign-in?${new URLSearchParams({ ...place, redirect: router.latestLocation.href })}`)
  /** In this tab or another: the place is for the same person alone, whoever signs in next. */
  const leaveAtEnd = ({ user }: Session) => leave({ reason: 'session_ended', for: user.id })
  const leaveWhenSignedOut = (error: unknown) => {
    if (!isSignedOut(error)) return
    const session = queryClient.getQueryData(sessionOptions().queryKey)
    if (session) leaveAtEnd(session)
    else leave({})
    noteSession(undefined)
  }
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
    mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
    // The BFF retries where that can help; a second try from here would only spend calls.
    defaultOptions: {
      // Requests are sent at once and fail at once. One that waits for the connection would show nothing, or act when nobody expects it.
      queries: {
        staleTime: STALE_MS,
        gcTime: KEPT_MS,
        retry: false,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })
  const router = createRouter({
    routeTree,
    history,
    context: { queryClient, leaveFor },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: lazy(async () => {
      const { RouteNotFound } = await import('./features/shell/route-not-found.tsx')
      return { default: RouteNotFound }
    }),
    defaultPendingComponent: RoutePending,
    // Code, and what is free: a loader asks `preload` before all else.
    defaultPreload: 'intent',
    // React Query knows how old data is; the router need not.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
  })
  followSession((userId) => {
    const session = queryClient.getQueryData(sessionOptions().queryKey)
    if (session && session.user.id !== userId) leaveAtEnd(session)
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
