import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { DocumentTitle } from '#app/ui/document-title.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { SectionCard } from '#app/ui/section-card.tsx'
import { EntriesField } from './entries-field.tsx'
import { type ListFacts, ListFields } from './list-fields.tsx'
import { listMutations } from './list-options.ts'
import { useEntries } from './use-entries.ts'

/** Makes a list of names from what somebody pastes, or from a file. */
export function NewListView() {
  const { data: session } = useQuery(sessionOptions())
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <DocumentTitle title="New list" />
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="font-semibold text-xl tracking-tight">New list</h1>
        <Link to="/lists" className="touch rounded-sm text-accent text-sm hover:underline">
          All lists
        </Link>
      </div>
      {session?.user.role === 'viewer' ? (
        <EmptyState icon="lock" title="Analysts make lists">
          Viewers read the lists that the team shares. Ask an analyst or an admin to make one.
        </EmptyState>
      ) : (
        <NewListForm />
      )}
    </div>
  )
}

function NewListForm() {
  const create = useMutation(listMutations(useQueryClient()).create)
  const navigate = useNavigate()
  const [facts, setFacts] = useState<ListFacts>({ name: '', kind: 'supplier', isShared: true })
  const input = useEntries()
  const [fault, setFault] = useState<{ field: 'name' | 'entries'; words: string } | null>(null)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = findFault(facts.name, input.fault)
    setFault(found)
    if (found || create.isPending) return
    const draft = { ...facts, name: facts.name.trim(), entries: input.read.entries }
    const list = await create.mutateAsync(draft, { onError: input.showRefused })
    navigate({ to: '/lists/$id', params: { id: list.id } })
  }

  return (
    <form noValidate onSubmit={(event) => submit(event).catch(() => {})}>
      <SectionCard title="Details">
        <div className="grid gap-4 p-4">
          <ListFields
            facts={facts}
            onChange={setFacts}
            nameError={fault?.field === 'name' && fault.words}
            canShare
          />
          <EntriesField input={input} />
          {fault?.field === 'entries' && (
            <p role="alert" className="text-critical text-sm">
              {fault.words}
            </p>
          )}
          <ActionError error={create.error} not="created" />
          <Button
            type="submit"
            variant="primary"
            isBusy={create.isPending}
            className="justify-self-start max-sm:h-11"
          >
            Create list
          </Button>
        </div>
      </SectionCard>
    </form>
  )
}

/** The first thing that keeps a list from being made. */
function findFault(name: string, entriesFault: string | null) {
  if (name.trim() === '') return { field: 'name', words: 'Enter a name for the list.' } as const
  return entriesFault === null ? null : ({ field: 'entries', words: entriesFault } as const)
}
