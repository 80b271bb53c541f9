import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet, useMatch, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useDeferredValue, useState } from 'react'
import { isSignedOut } from '#app/api/api-error.ts'
import { ProofRequests } from '#app/features/factors/proof-requests.tsx'
import { Palette } from '#app/features/palette/palette.tsx'
import { AccountMenu } from '#app/features/session/account-menu.tsx'
import { forgetReader, noteSession } from '#app/features/session/session-hint.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { ConnectionBanner } from '#app/features/shell/connection-banner.tsx'
import { RouteError } from '#app/features/shell/route-error.tsx'
import { PageOrAway } from '#app/features/shell/route-pending.tsx'
import { Shell } from '#app/features/shell/shell.tsx'
import { SourceBanners } from '#app/features/source/source-banners.tsx'
import { sourceOptions } from '#app/features/source/source-options.ts'
import { readPreferences } from '#app/ui/preferences.ts'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'

const Bell = lazyWhenIdle(async () => (await import('#app/features/inbox/bell.tsx')).Bell)
const BudgetMeter = lazyWhenIdle(
  async () => (await import('#app/features/source/budget-meter.tsx')).BudgetMeter,
)
const LiveUpdates = lazyWhenIdle(
  async () => (await import('#app/features/live/live-updates.tsx')).LiveUpdates,
)
const PreferenceSync = lazyWhenIdle(
  async () => (await import('#app/features/settings/preference-sync.tsx')).PreferenceSync,
)

/** The longest time that the first page waits for the state of the vendor. */
const SOURCE_MAX_MS = 500

/** Address for setting up a required second factor. Until then the session opens no other page. */
const ENROL_PATH = '/sign-in/second-factor'

type AppContext = {
  queryClient: QueryClient
  /** Ends what the app shows, and loads a page outside it. */
  leaveFor: (address: string) => void
}

export const Route = createRootRouteWithContext<AppContext>()({
  context: () => ({ session: sessionOptions(), source: sourceOptions() }),
  // A loader, not a guard before loaders: the session and the page's data are requested at the same time.
  loader: async ({ context, location }) => {
    if (location.pathname === ENROL_PATH) return
    const { queryClient, source } = context
    await Promise.all([
      requireSession(context),
      // A banner that comes later would move the whole page.
      Promise.race([queryClient.prefetchQuery({ ...source, staleTime: 'static' }), wait(SOURCE_MAX_MS)]),
    ])
  },
  component: Root,
  errorComponent: (props) => (
    <Framed>
      <RouteError {...props} />
    </Framed>
  ),
})

type SessionContext = { queryClient: QueryClient; session: ReturnType<typeof sessionOptions> }

async function requireSession({ queryClient, session }: SessionContext): Promise<void> {
  try {
    noteSession(await queryClient.query({ ...session, staleTime: 'static' }))
  } catch (error) {
    if (!isSignedOut(error)) throw error
    // The sign-in page is on its way, and nothing of this one is drawn.
    await new Promise(() => {})
  }
}

function Root() {
  const isEnrolment = useMatch({ from: ENROL_PATH, shouldThrow: false }) !== undefined
  if (isEnrolment) return <Outlet />
  return (
    <Framed>
      <FirstPageLater />
    </Framed>
  )
}

/**
 * The first page of a visit is drawn after what stands around it, in slices: a slow phone hears presses meanwhile. Not
 * where the browser comes back to a page: it has a place to scroll to.
 */
function FirstPageLater() {
  const isDue = useDeferredValue(true, isReturn())
  return isDue && <Outlet />
}

/** A reload, or a step of the history into this document. */
function isReturn(): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  return visit !== undefined && 'type' in visit && visit.type !== 'navigate'
}

function Framed({ children }: { children: ReactNode }) {
  const router = useRouter()
  // Before it can be changed: what keeps it with the account comes later.
  const [found] = useState(readPreferences)
  const leave = (address: string) => {
    forgetReader()
    router.options.context.leaveFor(address)
  }

  return (
    <Shell
      banners={
        <>
          <ConnectionBanner />
          <SourceBanners />
        </>
      }
      tools={
        <>
          {/* First, so that it moves nothing when it comes. */}
          <Suspense>
            <BudgetMeter />
          </Suspense>
          <Palette />
          <Suspense fallback={<i className="size-8" />}>
            <Bell />
          </Suspense>
          <AccountMenu onSignedOut={leave} />
        </>
      }
    >
      <PageOrAway>{children}</PageOrAway>
      <Suspense>
        <PreferenceSync found={found} />
        <LiveUpdates />
      </Suspense>
      <ProofRequests />
    </Shell>
  )
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
