import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { NameList } from '#contract/bff/list.ts'
import { ListFields } from './list-fields.tsx'
import { listMutations, listOptions } from './list-options.ts'
import { KIND_LABELS } from './list-words.ts'

type ListDialogProps = { list: NameList; isOpen: boolean; onClose(): void }

/** Changes name, kind and sharing of a list. */
export function ListDialog({ list, isOpen, onClose }: ListDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Edit list">
      <ListForm list={list} onClose={onClose} />
    </Dialog>
  )
}

function ListForm({ list, onClose }: Pick<ListDialogProps, 'list' | 'onClose'>) {
  const queryClient = useQueryClient()
  const change = useMutation(listMutations(queryClient).change)
  /** The list as the user last saw it. A change by somebody else in the meantime is a conflict. */
  const [seen, setSeen] = useState(list)
  const [hasConflict, setHasConflict] = useState(false)
  const [facts, setFacts] = useState({ name: list.name, kind: list.kind, isShared: list.isShared })
  const [nameError, setNameError] = useState<string | false>(false)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending) return
    const name = facts.name.trim()
    setNameError(name === '' && 'Enter a name for the list.')
    if (name === '') return
    const before = { name: seen.name, kind: seen.kind, isShared: seen.isShared }
    change.mutate(
      { id: list.id, ...facts, name, before },
      {
        onSuccess: onClose,
        onError() {
          const now = queryClient.getQueryData(listOptions(list.id).queryKey) ?? seen
          setHasConflict(now.name !== seen.name || now.kind !== seen.kind || now.isShared !== seen.isShared)
          setSeen(now)
        },
      },
    )
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <ListFields facts={facts} onChange={setFacts} nameError={nameError} canShare={list.owner.isMe} />
      <ActionError error={change.error} not="saved" />
      {hasConflict && (
        <p className="wrap-anywhere text-sm">
          Now it is “<Untrusted text={seen.name} maxLength={80} clip="silent" isRaw />
          ”, {KIND_LABELS[seen.kind]}, {seen.isShared ? 'shared with the team' : 'private'}. Save again to
          replace this.
        </p>
      )}
      <Button type="submit" variant="primary" isBusy={change.isPending} className="max-sm:h-11">
        Save
      </Button>
    </form>
  )
}
