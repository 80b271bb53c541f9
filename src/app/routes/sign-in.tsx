import { createFileRoute, redirect, useLocation } from '@tanstack/react-router'
import { lazy } from 'react'
import { takePlace } from '#app/features/session/leave-session.ts'
import { sessionKey, sessionOptions } from '#app/features/session/session-options.ts'
import { readLinkToken } from '#app/features/sign-in/link-token.ts'
import { SignInCard } from '#app/features/sign-in/sign-in-card.tsx'
import { signInOptions } from '#app/features/sign-in/sign-in-options.ts'
import { isOwnPath, readSignInSearch } from '#app/features/sign-in/sign-in-search.ts'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import type { Session } from '#contract/bff/session.ts'

// Few ever need it here.
const EnrolFirst = lazy(async () => ({
  default: (await import('#app/features/factors/enrol-first.tsx')).EnrolFirst,
}))

const HOME = '/'

export const Route = createFileRoute('/sign-in')({
  validateSearch: readSignInSearch,
  // Whoever is signed in goes on; any other answer means that the form is needed.
  beforeLoad: async ({ context, search, cause, location }) => {
    if (cause === 'stay' || search.state || location.hash.startsWith('password=')) return
    const options = await context.queryClient.query(signInOptions()).catch(() => null)
    if (options?.hasSession) throw redirect({ href: search.redirect ?? HOME, replace: true })
  },
  component: SignInPage,
})

function SignInPage() {
  const { redirect: href, reason } = Route.useSearch()
  const { queryClient } = Route.useRouteContext()
  const navigate = Route.useNavigate()
  const linkToken = useLocation({ select: ({ hash }) => readLinkToken(hash, 'link') })
  const passwordToken = useLocation({ select: ({ hash }) => readLinkToken(hash, 'password') })

  const enter = (session: Session, wanted?: string | null) => {
    queryClient.setQueryData(sessionKey, session)
    const place = takePlace(session.user.id) ?? HOME
    navigate({ href: wanted && isOwnPath(wanted) ? wanted : (href ?? place), replace: true })
  }

  return (
    <main className="grid min-h-dvh place-items-center p-4 pb-24">
      <DocumentTitle title="Sign in" />
      <SignInCard
        linkToken={linkToken}
        passwordToken={passwordToken}
        onAddressUsed={() =>
          navigate({
            to: '.',
            search: ({ redirect: wanted }) => ({ redirect: wanted, reason }),
            hash: '',
            replace: true,
          })
        }
        onSignedIn={enter}
        renderEnrolment={() => (
          <EnrolFirst
            onDone={async () => enter(await queryClient.query({ ...sessionOptions(), staleTime: 0 }))}
          />
        )}
      />
    </main>
  )
}
