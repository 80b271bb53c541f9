import { useMutationState, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { signInOptions } from '#app/features/sign-in/sign-in-options.ts'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { InterestsForm } from './interests-form.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { profileOptions, savePreferencesKey } from './profile-options.ts'
import { ReadingForm } from './reading-form.tsx'
import { SingleSignOnLink } from './single-sign-on-link.tsx'

/** Who one is here, what proves it, and how one likes to read. */
export function ProfileTab({ security }: { security: ReactNode }) {
  const { data: profile, error, refetch } = useQuery(profileOptions())
  const { data: options } = useQuery(signInOptions())
  const hasPasswordSignIn = options?.hasPasswordSignIn !== false
  if (!profile) {
    return error ? <ErrorPanel error={error} onRetry={() => refetch()} /> : <ProfileSkeleton />
  }
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <div className="grid gap-4">
        <SectionCard title="Account">
          <NameForm key={profile.name} profile={profile} />
        </SectionCard>
        <SectionCard title="Password">
          {hasPasswordSignIn && profile.hasPassword ? (
            <PasswordForm />
          ) : (
            <p className="p-4 text-muted text-sm">
              {hasPasswordSignIn
                ? 'This account signs in by single sign-on and has no password here.'
                : 'Passwords are switched off here: everybody signs in by single sign-on.'}
            </p>
          )}
        </SectionCard>
        {(options?.hasSingleSignOn || profile.hasSingleSignOn) && (
          <SectionCard title="Single sign-on">
            <SingleSignOnLink
              isLinked={profile.hasSingleSignOn}
              canUnlink={profile.hasPassword && hasPasswordSignIn}
            />
          </SectionCard>
        )}
        {security}
      </div>
      <div className="grid gap-4">
        <SectionCard title="Display" note={<SavedNote />}>
          <ReadingForm />
        </SectionCard>
        <SectionCard title="My interests">
          <InterestsForm />
          <p className="border-line border-t px-4 py-3 text-muted text-sm">
            Time zone, interests and own domains are also on the{' '}
            <Link to="/welcome" className="touch rounded-sm text-accent underline">
              welcome page
            </Link>
            .
          </p>
        </SectionCard>
      </div>
    </div>
  )
}

function ProfileSkeleton() {
  return (
    <div role="status" className="grid gap-4 lg:grid-cols-2">
      <VisuallyHidden>Loading your profile…</VisuallyHidden>
      <Skeleton className="h-96 w-full rounded-lg" />
      <Skeleton className="h-96 w-full rounded-lg" />
    </div>
  )
}

const SAVING_WORDS = {
  idle: 'Follows your account.',
  pending: 'Saving…',
  success: 'Saved to your account.',
  error: 'Kept in this browser only: it could not be saved to your account.',
} as const

/** Says whether the last choice is stored in the account. */
function SavedNote() {
  const states = useMutationState({
    filters: { mutationKey: savePreferencesKey },
    select: ({ state }) => state.status,
  })
  const state = states.at(-1) ?? 'idle'
  return (
    <span role="status" className={`text-xs ${state === 'error' ? 'text-critical' : 'text-faint'}`}>
      {SAVING_WORDS[state]}
    </span>
  )
}
