import { useMutationState, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { signInOptions } from '#app/features/sign-in/sign-in-options.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { LoadingParts } from '#app/ui/loading-parts.tsx'
import { changePreferences, readPreferences, usePreferences } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { ThemeChoice } from '#app/ui/theme-choice.tsx'
import { TimeZoneDialog } from '#app/ui/time-zone-dialog.tsx'
import { InterestFields, type Interests, readInterests, storedInterests } from './interest-fields.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { profileOptions, savePreferencesKey } from './profile-options.ts'
import { SingleSignOnLink } from './single-sign-on-link.tsx'

/** Who one is here, what proves it, and how one likes to read. */
export function ProfileTab({ security }: { security: ReactNode }) {
  const { data: profile, error, refetch } = useQuery(profileOptions())
  const { data: options } = useQuery(signInOptions())
  const hasPasswordSignIn = options?.hasPasswordSignIn !== false
  if (!profile) {
    return error ? (
      <ErrorPanel error={error} onRetry={() => refetch()} />
    ) : (
      <LoadingParts
        label="Loading your profile…"
        heights={['h-96', 'h-96']}
        className="grid gap-4 lg:grid-cols-2"
      />
    )
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

/** Stores each change at once. */
function InterestsForm() {
  const [interests, setInterests] = useState(() => readInterests(readPreferences()))
  const choose = (chosen: Interests) => {
    setInterests(chosen)
    changePreferences(storedInterests(chosen))
  }
  return (
    <div className="grid gap-4 p-4">
      <InterestFields interests={interests} onChange={choose} />
    </div>
  )
}

function ReadingForm() {
  const { timeZone, hasLetterKeys } = usePreferences()
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <div className="grid gap-4 p-4">
      <div className="grid gap-1">
        <p aria-hidden="true" className="font-medium text-muted text-xs">
          Theme
        </p>
        <ThemeChoice />
      </div>
      <div className="grid gap-1">
        <p className="font-medium text-muted text-xs">Time zone</p>
        <div className="flex flex-wrap items-center gap-3">
          <Button icon="globe" onClick={() => setIsChoosing(true)} className="max-sm:h-11">
            {timeZone.replaceAll('_', ' ')}
          </Button>
          <p className="text-faint text-xs">All times, day filters and charts use it.</p>
        </div>
        <TimeZoneDialog isOpen={isChoosing} onClose={() => setIsChoosing(false)} />
      </div>
      <label className="flex items-start gap-2 text-sm">
        <input
          type="checkbox"
          className="mt-0.5"
          checked={hasLetterKeys}
          onChange={(event) => changePreferences({ hasLetterKeys: event.target.checked })}
        />
        <span>
          Keyboard shortcuts
          <span className="block text-faint text-xs">Press ? on a page to see its keys.</span>
        </span>
      </label>
    </div>
  )
}
