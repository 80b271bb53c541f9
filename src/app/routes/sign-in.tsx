import { createFileRoute, redirect, useLocation } from '@tanstack/react-router'
import { sessionKey, sessionOptions } from '#app/features/session/session-options.ts'
import { readLinkToken } from '#app/features/sign-in/link-token.ts'
import { SignInCard } from '#app/features/sign-in/sign-in-card.tsx'
import { signInSearchSchema } from '#app/features/sign-in/sign-in-search.ts'
import { DocumentTitle } from '#app/ui/document-title.tsx'

const HOME = '/threats'

export const Route = createFileRoute('/sign-in')({
  validateSearch: signInSearchSchema,
  // Whoever is signed in goes on; any other answer means that the form is needed.
  beforeLoad: async ({ context, search, cause }) => {
    if (cause === 'stay') return
    const session = await context.queryClient.query(sessionOptions()).catch(() => null)
    if (session) throw redirect({ href: search.redirect ?? HOME, replace: true })
  },
  component: SignInPage,
})

function SignInPage() {
  const { redirect: href = HOME } = Route.useSearch()
  const { queryClient } = Route.useRouteContext()
  const navigate = Route.useNavigate()
  const linkToken = useLocation({ select: ({ hash }) => readLinkToken(hash) })

  return (
    <main className="grid min-h-dvh place-items-center p-4 pb-24">
      <DocumentTitle title="Sign in" />
      <SignInCard
        linkToken={linkToken}
        onLinkUsed={() => navigate({ to: '.', search: true, hash: '', replace: true })}
        onSignedIn={(session) => {
          queryClient.setQueryData(sessionKey, session)
          navigate({ href, replace: true })
        }}
      />
    </main>
  )
}
