import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { PersonName } from '#app/ui/person-name.tsx'
import { RadioRow } from '#app/ui/radio-row.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ownersOptions } from './triage-options.ts'

type AssignFormProps = {
  /** Null for nobody. */
  onOwner(ownerId: string | null): void
}

/** The dialog is open before its choices have come. */
const focus = (input: HTMLInputElement | null) => input?.focus()

const NOBODY = { id: null, name: 'Nobody' }

/** Chooses who deals with some cases: the reader first, then the others by name. */
export function AssignForm({ onOwner }: AssignFormProps) {
  const { data, error, refetch } = useQuery(ownersOptions())
  const { data: session } = useQuery(sessionOptions())
  const ownId = session?.user.id ?? null
  const [chosenId, setChosenId] = useState(ownId)
  if (error) return <ErrorPanel error={error} onRetry={() => refetch()} />
  if (!data)
    return (
      <div role="status" className="grid gap-3 py-2">
        <span className="sr-only">Loading users…</span>
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 w-32" />
      </div>
    )

  const isOwn = ({ id }: { id: string | null }) => id === ownId
  const { owners } = data
  const choices = [...owners.filter(isOwn), ...owners.filter((owner) => !isOwn(owner)), NOBODY]
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onOwner(chosenId)
      }}
    >
      <fieldset className="max-h-72 overflow-auto">
        <legend className="mb-1 font-medium">Owner</legend>
        {choices.map((choice, index) => (
          <RadioRow
            key={choice.id ?? ''}
            name="owner"
            ref={index === 0 ? focus : undefined}
            checked={chosenId === choice.id}
            onChange={() => setChosenId(choice.id)}
          >
            <span className="flex min-w-0 gap-1">
              <span className="min-w-0 truncate">
                <PersonName name={choice.name} />
              </span>
              {isOwn(choice) && ' (you)'}
            </span>
          </RadioRow>
        ))}
      </fieldset>
      <Button type="submit" variant="primary" className="justify-self-end">
        {chosenId === null ? 'Release' : 'Assign'}
      </Button>
    </form>
  )
}
