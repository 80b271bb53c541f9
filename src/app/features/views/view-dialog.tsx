import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Button, buttonLook } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextField } from '#app/ui/field.tsx'
import { useTimeZone } from '#app/ui/preferences.ts'
import { SecretField } from '#app/ui/secret-field.tsx'
import { fieldReason } from '#app/ui/use-form.ts'
import type { Role } from '#contract/bff/session.ts'
import { hasDays } from '#contract/bff/threat-list.ts'
import { VIEW_NAME_MAX_LENGTH, type View } from '#contract/bff/view.ts'
import { NO_ALERT_WORDS, useIsOverdue } from './use-is-overdue.ts'
import { viewMutations } from './view-mutations.ts'
import { isEmpty, type Shown } from './view-state.ts'

/** Content of a new view. */
type ViewDialogProps = Shown & {
  /** Null for a new one. */
  view: View | null
  role: Role
  onSaved(view: View): void
  onDeleted(view: View): void
  onClose(): void
}

export function ViewDialog(props: ViewDialogProps) {
  const { view, filter, arrangement, role, onSaved, onDeleted, onClose } = props
  const canShare = role !== 'viewer'
  const canChange = view === null || view.owner.isMe || role === 'admin'
  return (
    <Dialog isOpen onClose={onClose} title={view ? 'View' : 'Save view'} size="small">
      <div className="grid gap-4">
        <ViewForm
          view={view}
          filter={filter}
          arrangement={arrangement}
          canChange={canChange}
          canShare={canShare}
          onSaved={onSaved}
        />
        {view && canShare && (
          <>
            {canChange && <ViewFeedAddress view={view} />}
            <ViewAlertLink view={view} />
          </>
        )}
        {view && canChange && <DeleteView view={view} onDeleted={() => onDeleted(view)} />}
      </div>
    </Dialog>
  )
}

/** To the builder of alert profiles, with the filter of the view. */
function ViewAlertLink({ view: { name, filter } }: { view: View }) {
  const isOverdue = useIsOverdue(filter)
  return (
    <section aria-label="Alert profile" className="grid gap-2 border-line border-t pt-3">
      <h3 className="font-medium text-muted text-xs">Alert profile</h3>
      {isOverdue && <p className="text-faint text-xs">{NO_ALERT_WORDS}</p>}
      {isOverdue === false && (
        <>
          <p className="text-faint text-xs">
            A profile with this search notifies people of new threats. Later changes of the view do not change
            it.
          </p>
          <Link
            to="/alerts/new"
            search={{ ...filter, name }}
            className={`${buttonLook({ size: 'small' })} justify-self-start`}
          >
            Alert me
          </Link>
        </>
      )}
    </section>
  )
}

type DeleteViewProps = { view: View; onDeleted(): void }

/** In two presses: nothing brings a view back. */
function DeleteView({ view, onDeleted }: DeleteViewProps) {
  const deleting = useMutation({ ...viewMutations(useQueryClient()).remove, onSuccess: onDeleted })
  const ofTeam = view.isShared ? 'The team loses it too.' : 'For good?'
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t pt-3">
      <AskFirst
        label="Delete view…"
        warning={view.hasFeed ? 'Its Atom feed ends too.' : ofTeam}
        confirm="Delete for good"
        isBusy={deleting.isPending}
        onConfirm={() => deleting.mutate(view.id)}
      />
      <ActionError error={deleting.error} not="deleted" />
    </div>
  )
}

/** The secret address by which a reader of feeds follows the view. */
function ViewFeedAddress({ view }: { view: View }) {
  const { openFeed, closeFeed } = viewMutations(useQueryClient())
  const opening = useMutation(openFeed)
  const closing = useMutation({ ...closeFeed, onSuccess: () => opening.reset() })
  const address = opening.data?.address
  const hasFeed = closing.isSuccess && !address ? false : view.hasFeed || address !== undefined
  const error = opening.error ?? closing.error

  return (
    <section aria-label="Atom feed" className="grid gap-2 border-line border-t pt-3">
      <h3 className="font-medium text-muted text-xs">Atom feed</h3>
      {address ? (
        <>
          <SecretField label="Address" value={address} />
          <p role="status" className="text-faint text-xs">
            Copy it now: it is not shown again. Whoever has it can read the view, and which shared lists its
            threats concern.
          </p>
        </>
      ) : (
        <p className="text-faint text-xs">
          {hasFeed
            ? 'Whoever has its address can read the view, and which shared lists its threats concern. The address was shown once; a new one ends it.'
            : 'A secret address by which a feed reader follows the view, without signing in.'}
        </p>
      )}
      {hasDays(view.filter) && (
        <p className="text-faint text-xs">Its days are of the zone {view.timeZone}, for every reader.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" isBusy={opening.isPending} onClick={() => opening.mutate(view.id)}>
          {hasFeed ? 'Make a new address' : 'Make an address'}
        </Button>
        {hasFeed && (
          <AskFirst
            label="Revoke address…"
            warning="Feed readers that use its address get nothing more."
            confirm="Revoke address"
            isBusy={closing.isPending}
            onConfirm={() => closing.mutate(view.id)}
          />
        )}
      </div>
      <ActionError error={error} />
    </section>
  )
}

/** Content of a new view. */
type ViewFormProps = Shown & {
  /** Null for a new one. */
  view: View | null
  canChange: boolean
  canShare: boolean
  onSaved(view: View): void
}

/** The name of a view, who sees it, and whether the feed opens with it. */
function ViewForm({ view, filter, arrangement, canChange, canShare, onSaved }: ViewFormProps) {
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
