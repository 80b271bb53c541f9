import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { LanternMark } from '#app/ui/lantern-mark.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Session, SignInOptions } from '#contract/bff/session.ts'
import type { SignInAnswer, SignInStep } from '#contract/bff/sign-in-step.ts'
import { SetPasswordForm } from './set-password-form.tsx'
import { SignInError } from './sign-in-error.tsx'
import { SignInForm } from './sign-in-form.tsx'
import {
  finishSsoMutation,
  readAwaitedStep,
  setPasswordMutation,
  signInLinkMutation,
  signInMutation,
} from './sign-in-mutations.ts'
import { signInOptions } from './sign-in-options.ts'
import { startSsoMutation } from './sso-options.ts'

// Most sign-ins need none.
const SecondStepForm = lazy(async () => ({
  default: (await import('./second-step-form.tsx')).SecondStepForm,
}))

type SignInCardProps = {
  /** The token of a one-time link, if the page was opened by one. */
  linkToken: string | null
  /** The token of a link that sets a password. */
  passwordToken: string | null
  /** What the address brought is on its way and must not be tried twice. */
  onAddressUsed(): void
  /** `redirect` is where a reader was going before the provider of single sign-on took over. */
  onSignedIn(session: Session, redirect?: string | null): void
  /** Draws how a second factor is set up, for those who can do nothing else before. */
  renderEnrolment(): ReactNode
}

export function SignInCard({ linkToken, passwordToken, renderEnrolment, ...props }: SignInCardProps) {
  const { onAddressUsed, onSignedIn } = props
  const { reason, redirect, state, code, iss, error: refusal } = useSearch({ from: '/sign-in' })
  const { data: options } = useQuery(signInOptions())
  /** What a sign-in here still needs; `again` where its person would rather begin anew. */
  const [taken, setTaken] = useState<SignInStep | 'again' | null>(null)
  const onSuccess = (answer: SignInAnswer) => {
    if ('step' in answer) setTaken(answer.step)
    else onSignedIn(answer)
  }
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

  const elsewhere = start.error ?? finish.error ?? link.error
  // What failed was to link an account: its session goes on.
  const isLinking = finish.isError && options?.hasSession === true
  const hasForm = options?.hasPasswordSignIn !== false && !isLinking
  const isSetting = passwordToken !== null && options?.hasPasswordSignIn !== false
  const step = taken === 'again' ? null : taken
  const isBegun = passwordToken === null && !hasAnswer
  useEffect(() => {
    if (!isBegun) return
    const leaving = new AbortController()
    readAwaitedStep(leaving.signal).then(
      (awaited) => setTaken((now) => now ?? awaited),
      // Then the form is there, and a new sign-in says what is wrong.
      () => {},
    )
    return () => leaving.abort()
  }, [isBegun])

  const isArriving = link.isPending || finish.isPending || finish.isSuccess
  return (
    <div className="w-full max-w-88">
      <div className="mb-6 grid justify-items-center gap-3 text-center">
        <LanternMark className="size-9" />
        <div>
          <h1 className="font-semibold text-xl tracking-tight">
            {step ? HEADINGS[step.kind] : isSetting ? 'Choose a password' : 'Sign in to Lantern'}
          </h1>
          <p className="mt-1 text-muted text-sm">Dark-web threat intelligence for your team</p>
        </div>
      </div>
      {reason === 'session_ended' && (
        <p role="status" className="mb-4 text-center text-sm">
          Your session ended, here or in another tab. Sign in to go on where you were: drafts are kept.
        </p>
      )}
      <div className="rounded-xl border border-line bg-surface p-5 shadow-raised">
        {step && (
          <Suspense fallback={<Skeleton className="h-32" />}>
            {step.kind === 'enrol' ? (
              renderEnrolment()
            ) : (
              <SecondStepForm
                step={step}
                onSignedIn={onSuccess}
                onAgain={() => {
                  form.reset()
                  setTaken('again')
                }}
              />
            )}
          </Suspense>
        )}
        {!step && isArriving && (
          <p role="status" className="py-6 text-center text-muted text-sm">
            {link.isPending ? 'Signing you in with your link…' : 'Signing you in…'}
          </p>
        )}
        {!step && !isArriving && isSetting && (
          <SetPasswordForm
            isBusy={password.isPending || password.isSuccess}
            error={password.error}
            onSubmit={(chosen) => password.mutate({ token: passwordToken, password: chosen })}
          />
        )}
        {!step && !isArriving && !isSetting && (
          <>
            {passwordToken && (
              <p role="status" className="text-sm">
                There are no passwords here any more: sign in with single sign-on.
              </p>
            )}
            {hasForm ? (
              <SignInForm
                isBusy={form.isPending || form.isSuccess}
                error={form.error ?? (form.isIdle ? elsewhere : null)}
                onSubmit={(credentials) => form.mutate(credentials)}
              />
            ) : (
              elsewhere && <SignInError error={elsewhere} />
            )}
            {isLinking ? (
              <p className="mt-4 text-sm">
                You are still signed in.{' '}
                <Link to="/settings" search={{ tab: 'profile' }} className="text-accent underline">
                  Back to your profile
                </Link>
              </p>
            ) : (
              options?.hasSingleSignOn && (
                <SingleSignOn
                  isAlone={!hasForm}
                  isBusy={start.isPending || start.isSuccess}
                  onStart={() => {
                    form.reset()
                    start.mutate(redirect)
                  }}
                />
              )
            )}
          </>
        )}
      </div>
      <SignInHelp options={options} />
    </div>
  )
}

const HEADINGS = { factor: 'Confirm that it is you', enrol: 'Set up a second factor' } as const

/** Where a way in comes from, for those who have none. */
function SignInHelp({ options }: { options: SignInOptions | undefined }) {
  const hasPasswordSignIn = options?.hasPasswordSignIn !== false
  return (
    <details className="mt-4 text-muted text-sm">
      <summary className="touch w-fit rounded-sm">Cannot sign in?</summary>
      <ul className="mt-1 grid list-disc gap-1.5 pl-5">
        {!hasPasswordSignIn && (
          <>
            <li>
              Everybody signs in by single sign-on here. If your identity provider lets you in and Lantern
              does not, the message above says why.
            </li>
            <li>
              Admins, while the provider is away: who runs this Lantern can make a link that lets one in, with{' '}
              <code>npm run break-glass</code>.
            </li>
          </>
        )}
        {hasPasswordSignIn && (
          <>
            <li>
              The first account: its email and password stand where Lantern was started, printed once, unless
              they were chosen as ADMIN_EMAIL and ADMIN_PASSWORD.
            </li>
            <li>
              Everybody else: ask an administrator of this Lantern. In Settings, Users they add you, or make a
              link to set a new password.
            </li>
          </>
        )}
        {options?.hasSingleSignOn === false && (
          <li>Single sign-on is not set up here. Who runs this Lantern can do so: the README says how.</li>
        )}
      </ul>
    </details>
  )
}

type SingleSignOnProps = { isAlone: boolean; isBusy: boolean; onStart: () => void }

function SingleSignOn({ isAlone, isBusy, onStart }: SingleSignOnProps) {
  return (
    <>
      {!isAlone && (
        <p aria-hidden="true" className="my-4 flex items-center gap-3 text-faint text-xs">
          <span className="h-px flex-1 bg-line" />
          or
          <span className="h-px flex-1 bg-line" />
        </p>
      )}
      <Button
        icon="lock"
        variant={isAlone ? 'primary' : undefined}
        isBusy={isBusy}
        onClick={onStart}
        className={`h-9 w-full max-sm:h-11 ${isAlone ? 'not-first:mt-4' : ''}`}
      >
        Sign in with single sign-on
      </Button>
    </>
  )
}
