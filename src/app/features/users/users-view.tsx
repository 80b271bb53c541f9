import {
  mutationOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { getJson } from '#app/api/get-json.ts'
import { sendJson, sendProved } from '#app/api/send-json.ts'
import { sessionKey } from '#app/features/session/session-options.ts'
import { signInOptions } from '#app/features/sign-in/sign-in-options.ts'
import { countOf } from '#app/format/count.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { SelectField, TextField } from '#app/ui/field.tsx'
import { LoadedPart } from '#app/ui/loaded-part.tsx'
import { SecretField } from '#app/ui/secret-field.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Time } from '#app/ui/time.tsx'
import { fieldReason } from '#app/ui/use-form.ts'
import {
  type NewUser,
  newUserSchema,
  type UserAdded,
  type UserChange,
  type UserWithLink,
  userAddedSchema,
  userAnswerSchema,
  userListSchema,
  userWithLinkSchema,
} from '#contract/bff/user.ts'
import { UserTable } from './user-table.tsx'

/** Who may come in, and what they may do. */
export function UsersView() {
  const query = useQuery(usersOptions())
  const { data: signIn } = useQuery(signInOptions())
  const mutations = userMutations(useQueryClient())
  const [isAdding, setIsAdding] = useState(false)
  const [made, setMade] = useState<UserWithLink | null>(null)
  const change = useMutation(mutations.change)
  const signOut = useMutation(mutations.signOut)
  const resetFactors = useMutation(mutations.resetFactors)
  const link = useMutation({ ...mutations.link, onSuccess: setMade })
  const hasPasswordSignIn = signIn?.hasPasswordSignIn !== false
  const failure = change.error ?? signOut.error ?? link.error ?? resetFactors.error
  /** An error is that of the last action. */
  const resetErrors = () => {
    for (const mutation of [change, signOut, link, resetFactors]) mutation.reset()
  }
  const afterReset = (act: (id: string) => void) => (id: string) => {
    resetErrors()
    act(id)
  }

  return (
    <SectionCard
      title={query.data ? countOf(query.data.users.length, 'user') : 'Users'}
      tools={
        <Button icon="plus" size="small" onClick={() => setIsAdding(true)}>
          Add user
        </Button>
      }
    >
      <ActionError error={failure} className="border-line border-b px-4 py-2" />
      <LoadedPart query={query} name="the users" heights={['h-48']}>
        {({ users }) => (
          <UserTable
            users={users}
            isBusy={change.isPending || signOut.isPending || link.isPending || resetFactors.isPending}
            onChange={(id, changed) => {
              resetErrors()
              change.mutate({ id, ...changed })
            }}
            onLink={hasPasswordSignIn ? afterReset(link.mutate) : undefined}
            onSignOut={afterReset(signOut.mutate)}
            onResetFactors={afterReset(resetFactors.mutate)}
          />
        )}
      </LoadedPart>
      {signIn?.hasSingleSignOn === false && (
        <p className="border-line border-t px-4 py-2.5 text-muted text-xs">
          Single sign-on is not set up: everybody has a password here. To let your identity provider sign
          people in, start Lantern with OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; see
          docs/operating/single-sign-on.md.
        </p>
      )}
      <Dialog isOpen={isAdding} onClose={() => setIsAdding(false)} title="Add user" size="small">
        <AddUserForm
          hasLink={hasPasswordSignIn}
          onAdded={(added) => {
            setIsAdding(false)
            if (added.link) setMade({ ...added, link: added.link })
          }}
        />
      </Dialog>
      <LinkDialog made={made} onClose={() => setMade(null)} />
    </SectionCard>
  )
}

type LinkDialogProps = { made: UserWithLink | null; onClose(): void }

/** Shown once: nobody can read it again, only make another. */
function LinkDialog({ made, onClose }: LinkDialogProps) {
  return (
    <Dialog isOpen={made !== null} onClose={onClose} title="One-time link">
      {made && (
        <div className="grid gap-3">
          <p>
            Send this to <strong className="wrap-anywhere font-medium">{made.user.email}</strong> by a way
            that only they read. Whoever opens it first sets the password. It works once, until{' '}
            <Time at={made.link.expiresAt} />, and is not shown again.
          </p>
          <SecretField label="Link" value={made.link.url} isFirstFocus />
        </div>
      )}
    </Dialog>
  )
}

type AddUserFormProps = {
  /** True if the new user gets a link to set a password. */
  hasLink: boolean
  onAdded(added: UserAdded): void
}

function AddUserForm({ hasLink, onAdded }: AddUserFormProps) {
  const add = useMutation({ ...userMutations(useQueryClient()).add, onSuccess: onAdded })
  const [isMistyped, setIsMistyped] = useState(false)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email, name, role } = Object.fromEntries(new FormData(event.currentTarget))
    const wanted = newUserSchema.safeParse({ email: String(email).trim(), role, ...(name && { name }) })
    setIsMistyped(!wanted.success)
    if (wanted.success) add.mutate(wanted.data)
    else event.currentTarget.querySelector('input')?.focus()
  }
  const refusal = fieldReason(add.error, 'email')

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="off"
        spellCheck={false}
        data-first-focus
        hint={!hasLink && 'The address that their identity provider sends. They sign in with it.'}
        error={isMistyped ? 'Enter an email address.' : refusal}
      />
      <TextField label="Name" name="name" autoComplete="off" maxLength={100} hint="They can change it." />
      <SelectField label="Role" name="role" defaultValue="analyst">
        <option value="viewer">Viewer: reads everything</option>
        <option value="analyst">Analyst: also triages and builds alerts</option>
        <option value="admin">Admin: also keys, users and the audit log</option>
      </SelectField>
      {!refusal && <ActionError error={add.error} not="added" />}
      <Button type="submit" variant="primary" isBusy={add.isPending} className="max-sm:h-11">
        {hasLink ? 'Add and get a link' : 'Add'}
      </Button>
    </form>
  )
}

const usersKey = ['users'] as const

function usersOptions() {
  return queryOptions({
    queryKey: usersKey,
    queryFn: ({ signal }) => getJson('users', userListSchema, { signal }),
  })
}

/** Changes that admins make to users. After each one the list is read again, also if it was refused. */
function userMutations(queryClient: QueryClient) {
  const onSettled = () => queryClient.invalidateQueries({ queryKey: usersKey })
  return {
    add: mutationOptions({
      mutationFn: (body: NewUser) => sendProved('users', userAddedSchema, { body }),
      onSettled,
    }),
    change: mutationOptions({
      mutationFn: ({ id, ...body }: UserChange & { id: string }) =>
        sendProved(`users/${id}`, userAnswerSchema, { method: 'PUT', body }),
      onSettled() {
        // The one who changed may be the one who is changed.
        queryClient.invalidateQueries({ queryKey: sessionKey })
        return onSettled()
      },
    }),
    link: mutationOptions({
      mutationFn: (id: string) => sendProved(`users/${id}/link`, userWithLinkSchema, {}),
      onSettled,
    }),
    resetFactors: mutationOptions({
      mutationFn: (id: string) => sendProved(`users/${id}/reset-factors`, userAnswerSchema, {}),
      onSettled,
    }),
    signOut: mutationOptions({
      mutationFn: (id: string) => sendJson(`users/${id}/sign-out`, userAnswerSchema, {}),
      onSettled,
    }),
  }
}
