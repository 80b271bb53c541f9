import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { TextField } from '#app/ui/text-field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { Watch, WatchSaved } from '#contract/bff/watch.ts'
import { watchListOptions, watchMutations } from '../watch-options.ts'
import { findRecipientFaults, startRecipients, toRecipients } from './recipient-draft.ts'
import { RecipientFields } from './recipient-fields.tsx'
import { SavedWatch } from './saved-watch.tsx'
import { SearchFaultsNote } from './search-faults-note.tsx'

export type WatchedView = { id: string; name: string }

type WatchDialogProps = {
  /** Null where it has yet to be saved. */
  view: WatchedView | null
  /** What a view that is saved for it is called, unless the reader says otherwise. */
  suggestedName?: string
  saveView?(name: string): Promise<WatchedView>
  /** The watch to change; undefined for one's own of the view, if there is one. */
  watch?: Watch
  onClose(): void
}

/** Asks whom a view's new threats are told. */
export function WatchDialog(props: WatchDialogProps) {
  const { data: session } = useQuery(sessionOptions())
  const { data: list, isPending } = useQuery(watchListOptions())
  const watch =
    props.watch ?? list?.watches.find(({ viewId, owner }) => owner.isMe && viewId === props.view?.id) ?? null
  const [saved, setSaved] = useState<WatchSaved | null>(null)
  return (
    <Dialog isOpen onClose={props.onClose} title={watch && !saved ? 'Whom this watch tells' : 'Watch'}>
      {saved && <SavedWatch saved={saved} onClose={props.onClose} />}
      {!saved && session && !isPending && (
        <WatchForm key={watch?.id} {...props} watch={watch} ownId={session.user.id} onSaved={setSaved} />
      )}
    </Dialog>
  )
}

type WatchFormProps = Omit<WatchDialogProps, 'watch'> & {
  watch: Watch | null
  ownId: string
  onSaved(saved: WatchSaved): void
}

function WatchForm({ view, suggestedName = '', saveView, watch, ownId, onSaved, onClose }: WatchFormProps) {
  const mutations = watchMutations(useQueryClient())
  const { data: list } = useQuery(watchListOptions())
  const [name, setName] = useState(suggestedName)
  const [draft, setDraft] = useState(() => startRecipients(watch, ownId))
  const [isTried, setIsTried] = useState(false)
  // Kept, so that a second try after a refusal does not save a second view.
  const [savedView, setSavedView] = useState(view)
  const create = useMutation(mutations.create)
  const change = useMutation(mutations.change)
  const save = useMutation({
    mutationFn: async () => {
      const recipients = toRecipients(draft)
      if (watch) return change.mutateAsync({ id: watch.id, change: { recipients } })
      const watched = savedView ?? (await saveView?.(name.trim()))
      if (!watched) throw new Error('There is no view to watch')
      setSavedView(watched)
      return create.mutateAsync({ viewId: watched.id, recipients })
    },
    onSuccess: onSaved,
  })
  const faults = findRecipientFaults(draft, list?.hosts ?? [])
  const fix =
    save.error instanceof ApiError ? save.error.problem.fields?.find((field) => field.fix)?.fix : undefined
  const isNameless = savedView === null && name.trim() === ''
  const isAlone = toRecipients(draft).length === 0

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (faults.size === 0 && !isNameless && !isAlone && !save.isPending) save.mutate()
  }
  return (
    <form noValidate autoComplete="off" onSubmit={submit} className="grid gap-4">
      {savedView ? (
        <p className="text-muted">
          Whoever is named here is told of each new threat that “
          <Untrusted text={savedView.name} maxLength={80} clip="silent" isRaw />” shows. It costs no call.
        </p>
      ) : (
        <TextField
          label="Name of the view"
          value={name}
          data-first-focus
          maxLength={80}
          hint="A view of these threats is saved under this name."
          error={isTried && isNameless ? 'Give the view a name.' : undefined}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <SearchFaultsNote searchFaults={watch?.searchFaults} />
      <RecipientFields
        draft={draft}
        recipients={watch?.recipients ?? []}
        list={list}
        faults={isTried ? faults : new Map([...faults].filter(([field]) => field.startsWith('email.')))}
        onChange={(changes) => setDraft({ ...draft, ...changes })}
      />
      {isTried && isAlone && (
        <p role="alert" className="text-critical text-xs">
          Name at least one recipient.
        </p>
      )}
      {save.error && (
        <p role="alert" className="text-critical text-xs">
          {!view && savedView ? 'The view is saved, and not watched.' : 'Not saved.'}{' '}
          {explainError(save.error).message}.{' '}
          <Untrusted text={explainError(save.error).detail} maxLength={300} clip="silent" />
          {fix !== undefined && (
            <>
              {' '}
              Did you mean <Untrusted text={fix} maxLength={120} clip="silent" />?
            </>
          )}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose} className="max-sm:h-11">
          Cancel
        </Button>
        <Button type="submit" variant="primary" isBusy={save.isPending} className="max-sm:h-11">
          {watch ? 'Save' : savedView ? 'Watch' : 'Save and watch'}
        </Button>
      </div>
    </form>
  )
}
