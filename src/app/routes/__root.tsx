import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet, redirect, useMatch } from '@tanstack/react-router'
import { isSignedOut } from '#app/api/api-error.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { Shell } from '#app/features/shell/shell.tsx'

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  context: () => ({ session: sessionOptions() }),
  // A loader, not a guard before loaders: the session and the page's data are asked for at the same time.
  loader: async ({ context, location }) => {
    if (location.pathname === '/sign-in') return
    await context.queryClient.ensureQueryData(context.session).catch((error: unknown) => {
      if (isSignedOut(error)) throw redirect({ to: '/sign-in', search: { redirect: location.href } })
    })
  },
  component: Root,
})

function Root() {
  const isSignIn = useMatch({ from: '/sign-in', shouldThrow: false }) !== undefined
  if (isSignIn) return <Outlet />
  return (
    <Shell>
      <Outlet />
    </Shell>
  )
}
