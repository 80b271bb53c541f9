import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { SectionCard } from '#app/ui/section-card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { UserWithLink } from '#contract/bff/user.ts'
import { AddUserDialog } from './add-user-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { userMutations, usersOptions } from './user-options.ts'
import { UserTable } from './user-table.tsx'

/** Who may come in, and what they may do. */
export function UsersView() {
  const { data, error, refetch } = useQuery(usersOptions())
  const mutations = userMutations(useQueryClient())
  const [isAdding, setIsAdding] = useState(false)
  const [made, setMade] = useState<UserWithLink | null>(null)
  const change = useMutation(mutations.change)
  const signOut = useMutation(mutations.signOut)
  const link = useMutation({ ...mutations.link, onSuccess: setMade })
  const failure = change.error ?? signOut.error ?? link.error

  if (!data) return error ? <ErrorPanel error={error} onRetry={() => refetch()} /> : <UsersSkeleton />
  return (
    <SectionCard
      title={countOf(data.users.length, 'user')}
      tools={
        <Button icon="plus" size="small" onClick={() => setIsAdding(true)}>
          Add user
        </Button>
      }
    >
      <p
        role="alert"
        className="text-critical text-sm not-empty:border-line not-empty:border-b not-empty:px-4 not-empty:py-2"
      >
        {failure && `${explainError(failure).message}. ${explainError(failure).detail}`}
      </p>
      <UserTable
        users={data.users}
        isBusy={change.isPending || signOut.isPending || link.isPending}
        onChange={(id, changed) => {
          signOut.reset()
          link.reset()
          change.mutate({ id, ...changed })
        }}
        onLink={(id) => link.mutate(id)}
        onSignOut={(id) => signOut.mutate(id)}
      />
      <AddUserDialog
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        onAdded={(added) => {
          setIsAdding(false)
          setMade(added)
        }}
      />
      <LinkDialog made={made} onClose={() => setMade(null)} />
    </SectionCard>
  )
}

function UsersSkeleton() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the users…</VisuallyHidden>
      <Skeleton className="h-60 w-full rounded-lg" />
    </div>
  )
}
