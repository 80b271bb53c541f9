import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { LanternMark } from '#app/ui/lantern-mark.tsx'
import type { Session } from '#contract/bff/session.ts'
import { SignInForm } from './sign-in-form.tsx'
import { signInLinkMutation, signInMutation } from './sign-in-mutations.ts'

type SignInCardProps = {
  /** The token of a one-time link, if the page was opened by one. */
  linkToken: string | null
  /** The link is on its way and must not be tried twice. */
  onLinkUsed(): void
  onSignedIn(session: Session): void
}

export function SignInCard({ linkToken, onLinkUsed, onSignedIn }: SignInCardProps) {
  const { reason } = useSearch({ from: '/sign-in' })
  const link = useMutation({ ...signInLinkMutation(), onSuccess: onSignedIn })
  const form = useMutation({ ...signInMutation(), onSuccess: onSignedIn })
  const redeem = useEffectEvent((token: string) => {
    onLinkUsed()
    link.mutate(token)
  })

  useEffect(() => {
    if (linkToken) redeem(linkToken)
  }, [linkToken])

  return (
    <div className="w-full max-w-88">
      <div className="mb-6 grid justify-items-center gap-3 text-center">
        <LanternMark className="size-9" />
        <div>
          <h1 className="font-semibold text-xl tracking-tight">Sign in to Lantern</h1>
          <p className="mt-1 text-muted text-sm">Dark-web threat intelligence for your team</p>
        </div>
      </div>
      {reason === 'session_ended' && (
        <p role="status" className="mb-4 text-center text-sm">
          Your session ended. Sign in to go on.
        </p>
      )}
      <div className="rounded-xl border border-line bg-surface p-5 shadow-raised">
        {link.isPending ? (
          <p role="status" className="py-6 text-center text-muted text-sm">
            Signing you in with your link…
          </p>
        ) : (
          <SignInForm
            isBusy={form.isPending || form.isSuccess}
            error={form.error ?? (form.isIdle ? link.error : null)}
            onSubmit={(credentials) => form.mutate(credentials)}
          />
        )}
      </div>
    </div>
  )
}
