import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { sendProved } from '#app/api/send-json.ts'
import { signInOptions } from '#app/features/sign-in/sign-in-options.ts'
import { ActionError, explainError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { TextField } from '#app/ui/field.tsx'
import { LoadingParts } from '#app/ui/loaded-part.tsx'
import { changePreferences, readPreferences, usePreferences } from '#app/ui/preferences.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { ThemeChoice } from '#app/ui/theme-choice.tsx'
import { TimeZoneDialog } from '#app/ui/time-zone-dialog.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { fieldReason, useForm } from '#app/ui/use-form.ts'
import { type PasswordChange, type Profile, passwordChangeSchema } from '#contract/bff/profile.ts'
import { ssoStartedSchema } from '#contract/bff/single-sign-on.ts'
import { PASSWORD_MIN_LENGTH } from '#contract/bff/user.ts'
import { InterestFields, type Interests, readInterests, storedInterests } from './interest-fields.tsx'
import { profileOptions, renameMutation, savePreferencesKey } from './profile-options.ts'

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

const WAYS = {
  password: 'a password',
  singleSignOn: 'single sign-on',
  both: 'a password or single sign-on',
} as const

function NameForm({ profile }: { profile: Profile }) {
  const rename = useMutation(renameMutation(useQueryClient()))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    rename.mutate(String(new FormData(event.currentTarget).get('name')))
  }
  const way =
    profile.hasSingleSignOn && profile.hasPassword
      ? 'both'
      : profile.hasSingleSignOn
        ? 'singleSignOn'
        : 'password'
  const { error } = rename

  return (
    <form onSubmit={submit} className="grid gap-4 p-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        <dt className="text-muted">Email</dt>
        <dd className="wrap-anywhere">
          <Untrusted text={profile.email} isRaw />
        </dd>
        <dt className="text-muted">Role</dt>
        <dd className="first-letter:uppercase">{profile.role}</dd>
        <dt className="text-muted">Signs in by</dt>
        <dd>{WAYS[way]}</dd>
      </dl>
      <div className="flex items-end gap-2">
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          required
          maxLength={100}
          defaultValue={profile.name}
          className="flex-1"
          error={error && (fieldReason(error, 'name') ?? explainError(error).message)}
        />
        <Button type="submit" isBusy={rename.isPending} className="max-sm:h-11">
          Save name
        </Button>
      </div>
    </form>
  )
}

const formSchema = z.extend(passwordChangeSchema, {
  current: z.string().check(z.minLength(1, 'Enter your password.')),
})

function PasswordForm() {
  const change = useMutation({
    mutationFn: (body: PasswordChange) =>
      sendProved('profile/password', z.undefined(), { method: 'PUT', body }),
  })
  const { error } = change
  const { submit, reasonOf } = useForm({
    schema: formSchema,
    error,
    onSubmit: (wanted, form) => change.mutate(wanted, { onSuccess: () => form.reset() }),
  })

  return (
    <form noValidate onSubmit={submit} className="grid gap-4 p-4">
      <TextField
        label="Current password"
        name="current"
        type="password"
        autoComplete="current-password"
        error={reasonOf('current')}
      />
      <TextField
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        hint={`${PASSWORD_MIN_LENGTH} characters or more. Several unrelated words make a good one.`}
        error={reasonOf('password')}
      />
      {!reasonOf('current') && !reasonOf('password') && <ActionError error={error} not="changed" />}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" isBusy={change.isPending} className="max-sm:h-11">
          Change password
        </Button>
        <p role="status" className="text-muted text-xs">
          {change.isSuccess
            ? 'Changed. Every other browser is signed out.'
            : 'Every other browser will be signed out.'}
        </p>
      </div>
    </form>
  )
}

type SingleSignOnLinkProps = { isLinked: boolean; canUnlink: boolean }

/** Links the account to the user's identity at the provider. Only its owner can do that. */
function SingleSignOnLink({ isLinked, canUnlink }: SingleSignOnLinkProps) {
  const queryClient = useQueryClient()
  const link = useMutation({
    mutationFn: () => sendProved('profile/sso', ssoStartedSchema, {}),
    // To the provider, which leads back here.
    onSuccess: ({ url }) => location.assign(url),
  })
  const unlink = useMutation({
    mutationFn: () => sendProved('profile/sso', z.undefined(), { method: 'DELETE' }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: profileOptions().queryKey }),
  })
  const error = isLinked ? unlink.error : link.error

  return (
    <div className="grid justify-items-start gap-3 p-4">
      <p className="text-muted text-sm">{wordsOf(isLinked, canUnlink)}</p>
      {!isLinked && (
        <Button
          icon="lock"
          isBusy={link.isPending || link.isSuccess}
          onClick={() => link.mutate()}
          className="max-sm:h-11"
        >
          Link single sign-on
        </Button>
      )}
      {isLinked && canUnlink && (
        <Button isBusy={unlink.isPending} onClick={() => unlink.mutate()} className="max-sm:h-11">
          Unlink
        </Button>
      )}
      <ActionError error={error} />
    </div>
  )
}

function wordsOf(isLinked: boolean, canUnlink: boolean): string {
  if (!isLinked) {
    return 'Sign in to this account by your identity provider too. You sign in there once, then come back here.'
  }
  return canUnlink
    ? 'Your identity provider lets you into this account. Unlinked, it opens by your password alone.'
    : 'Your identity provider lets you into this account. It is the only way in, so it cannot be unlinked.'
}
