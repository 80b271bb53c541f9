import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { TextField } from '#app/ui/text-field.tsx'
import { fieldReason } from '#app/ui/use-form.ts'
import type { View } from '#contract/bff/view.ts'
import { VIEW_NAME_MAX_LENGTH } from '#contract/bff/view-draft.ts'
import { viewMutations } from './view-mutations.ts'
import { isEmpty, type Shown } from './view-state.ts'

/** Content of a new view. */
type ViewFormProps = Shown & {
  /** Null for a new one. */
  view: View | null
  canChange: boolean
  canShare: boolean
  onSaved(view: View): void
}

/** The name of a view, who sees it, and whether the feed opens with it. */
export function ViewForm({ view, filter, arrangement, canChange, canShare, onSaved }: ViewFormProps) {
  const timeZone = useTimeZone()
  const mutations = viewMutations(useQueryClient())
  const creating = useMutation({ ...mutations.create, onSuccess: onSaved })
  const changing = useMutation({ ...mutations.change, onSuccess: onSaved })
  const { error, isPending } = view ? changing : creating
  const [isNameless, setIsNameless] = useState(false)

  const arranged = isEmpty(arrangement) ? {} : { arrangement }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const name = String(given.get('name') ?? '').trim()
    const isShared = given.has('isShared')
    const isDefault = given.has('isDefault')
    setIsNameless(canChange && name === '')
    if (canChange && name === '') event.currentTarget.querySelector('input')?.focus()
    else if (view) changing.mutate({ view, change: canChange ? { name, isShared } : null, isDefault })
    else creating.mutate({ draft: { name, isShared, filter, ...arranged, timeZone }, isDefault })
  }
  const refusal = fieldReason(error, 'name')

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        data-first-focus
        maxLength={VIEW_NAME_MAX_LENGTH}
        defaultValue={view?.name}
        disabled={!canChange}
        hint={
          view
            ? !canChange && `${view.owner.name}’s view.`
            : 'For the filters and the columns that are in use now.'
        }
        error={isNameless ? 'Give the view a name.' : refusal}
      />
      {canChange && canShare && (
        <Tick name="isShared" isTicked={view?.isShared} note="Everybody sees it, and may open it.">
          Share with the team
        </Tick>
      )}
      <Tick name="isDefault" isTicked={view?.isDefault} note="Only for you. A link with filters still wins.">
        Open Threats with this view
      </Tick>
      {!refusal && <ActionError error={error} not="saved" />}
      <Button type="submit" variant="primary" isBusy={isPending} className="max-sm:h-11">
        {view ? 'Save' : 'Save view'}
      </Button>
    </form>
  )
}

type TickProps = { name: string; isTicked: boolean | undefined; note: string; children: ReactNode }

function Tick({ name, isTicked, note, children }: TickProps) {
  return (
    <label className="flex items-start gap-2">
      <input type="checkbox" name={name} defaultChecked={isTicked} className="mt-0.5 size-4" />
      <span>
        {children}
        <span className="block text-faint text-xs">{note}</span>
      </span>
    </label>
  )
}
