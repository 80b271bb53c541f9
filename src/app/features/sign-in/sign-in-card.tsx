import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '#app/ui/button.tsx'
import { LanternMark } from '#app/ui/lantern-mark.tsx'
import type { Session } from '#contract/bff/session.ts'
import { SetPasswordForm } from './set-password-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import {
  finishSsoMutation,
  setPasswordMutation,
  signInLinkMutation,
  signInMutation,
  startSsoMutation,
} from './sign-in-mutations.ts'
import { signInOptions } from './sign-in-options.ts'

type SignInCardProps = {
  /** The token of a one-time link, if the page was opened by one. */
  linkToken: string | null
  /** The token of a link that sets a password. */
  passwordToken: string | null
  /** What the address brought is on its way and must not be tried twice. */
  onAddressUsed(): void
  /** `redirect` is where a reader was going before the provider of single sign-on took over. */
  onSignedIn(session: Session, redirect?: string | null): void
}

export function SignInCard({ linkToken, passwordToken, onAddressUsed, onSignedIn }: SignInCardProps) {
  const { reason, redirect, state, code, iss, error: refusal } = useSearch({ from: '/sign-in' })
  const { data: options } = useQuery(signInOptions())
  const onSuccess = (session: Session) => onSignedIn(session)
  const link = useMutation({ ...signInLinkMutation(), onSuccess })
  const form = useMutation({ ...signInMutation(), onSuccess })
  const password = useMutation({ ...setPasswordMutation(), onSuccess })
  const start = useMutation(startSsoMutation())
  const finish = useMutation({
    ...finishSsoMutation(),
    onSuccess: ({ redirect: wanted, ...session }) => onSignedIn(session, wanted),
  })
  const followAddress = useEffectEvent(() => {
    onAddressUsed()
    if (linkToken) link.mutate(linkToken)
    else if (state) finish.mutate({ state, code, iss, error: refusal })
  })
  const hasAnswer = Boolean(linkToken ?? state)
  const hasFollowed = useRef(false)

  useEffect(() => {
    if (!hasAnswer || hasFollowed.current) return
    hasFollowed.current = true
    followAddress()
  }, [hasAnswer])

  const isArriving = link.isPending || finish.isPending || finish.isSuccess
  return (
    <div className="w-full max-w-88">
      <div className="mb-6 grid justify-items-center gap-3 text-center">
        <LanternMark className="size-9" />
        <div>
          <h1 className="font-semibold text-xl tracking-tight">
            {passwordToken ? 'Choose a password' : 'Sign in to Lantern'}
          </h1>
          <p className="mt-1 text-muted text-sm">Dark-web threat intelligence for your team</p>
        </div>
      </div>
      {reason === 'session_ended' && (
        <p role="status" className="mb-4 text-center text-sm">
          Your session ended. Sign in to go on.
        </p>
      )}
      <div className="rounded-xl border border-line bg-surface p-5 shadow-raised">
        {isArriving && (
          <p role="status" className="py-6 text-center text-muted text-sm">
            {link.isPending ? 'Signing you in with your link…' : 'Signing you in…'}
          </p>
        )}
        {!isArriving && passwordToken && (
          <SetPasswordForm
            isBusy={password.isPending || password.isSuccess}
            error={password.error}
            onSubmit={(chosen) => password.mutate({ token: passwordToken, password: chosen })}
          />
        )}
        {!isArriving && !passwordToken && (
          <>
            <SignInForm
              isBusy={form.isPending || form.isSuccess}
              error={form.error ?? (form.isIdle ? (start.error ?? finish.error ?? link.error) : null)}
              onSubmit={(credentials) => form.mutate(credentials)}
            />
            {options?.hasSingleSignOn && (
              <SingleSignOn
                isBusy={start.isPending || start.isSuccess}
                onStart={() => {
                  form.reset()
                  start.mutate(redirect)
                }}
              />
            )}
          </>
        )}
      </div>
    </div>
  )
}

function SingleSignOn({ isBusy, onStart }: { isBusy: boolean; onStart: () => void }) {
  return (
    <>
      <p aria-hidden="true" className="my-4 flex items-center gap-3 text-faint text-xs">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </p>
      <Button icon="lock" isBusy={isBusy} onClick={onStart} className="h-9 w-full max-sm:h-11">
        Sign in with single sign-on
      </Button>
    </>
  )
}
