import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/checkbox.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextField } from '#app/ui/field.tsx'
import type { ListEntry } from '#contract/bff/list.ts'
import { ENTRY_NAME_MAX_LENGTH } from '#contract/bff/list-draft.ts'
import { cleanText, entryCollector, noEntries } from './collect-entries.ts'
import { listMutations } from './list-options.ts'

type EntryDialogProps = {
  listId: string
  /** The entry to change. Null while the dialog is closed. */
  entry: ListEntry | null
  onClose(): void
}

export function EntryDialog({ listId, entry, onClose }: EntryDialogProps) {
  return (
    <Dialog isOpen={entry !== null} onClose={onClose} title="Edit entry">
      {entry && <EntryForm listId={listId} entry={entry} onClose={onClose} />}
    </Dialog>
  )
}

type EntryFormProps = EntryDialogProps & { entry: ListEntry }

function EntryForm({ listId, entry, onClose }: EntryFormProps) {
  const change = useMutation({ ...listMutations(useQueryClient()).changeEntry, onSuccess: onClose })
  const [isCritical, setIsCritical] = useState(entry.weight === 'critical')
  const [fault, setFault] = useState<string | null>(null)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending) return
    const given = new FormData(event.currentTarget)
    const textOf = (field: string) => cleanText(String(given.get(field) ?? ''))
    const read = noEntries()
    entryCollector(read)({
      line: 1,
      whole: '',
      name: textOf('name'),
      domains: textOf('domains')
        .split(/[\s,;]+/)
        .filter(Boolean),
      note: textOf('note'),
      key: textOf('key'),
      isCritical,
    })
    const [draft] = read.entries
    setFault(read.refused[0]?.reason ?? null)
    if (draft) change.mutate({ id: listId, entryId: entry.id, draft })
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        data-first-focus
        maxLength={ENTRY_NAME_MAX_LENGTH}
        defaultValue={entry.name}
      />
      <TextField
        label="Domains"
        name="domains"
        autoComplete="off"
        spellCheck={false}
        hint="With commas or spaces between them."
        defaultValue={entry.domains.join(', ')}
      />
      <TextField label="Note" name="note" autoComplete="off" defaultValue={entry.note ?? ''} />
      <TextField label="Reference" name="key" autoComplete="off" defaultValue={entry.key ?? ''} />
      <Checkbox isChecked={isCritical} onChange={setIsCritical}>
        Critical
      </Checkbox>
      {fault && (
        <p role="alert" className="text-critical text-sm">
          {fault}
        </p>
      )}
      <ActionError error={change.error} not="saved" />
      <Button type="submit" variant="primary" isBusy={change.isPending} className="max-sm:h-11">
        Save
      </Button>
    </form>
  )
}
