import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ErrorPanel } from '#app/ui/error-panel.tsx'
import { TextField } from '#app/ui/field.tsx'
import { Kbd } from '#app/ui/kbd.tsx'
import { LoadingParts } from '#app/ui/loaded-part.tsx'
import { PersonName } from '#app/ui/person-name.tsx'
import { TRIAGE_TEXT_MAX_LENGTH, type TriageAction } from '#contract/bff/triage.ts'
import { type CloseReason, closeReason, closeReasonSchema } from '#contract/bff/triage-state.ts'
import { CommentForm } from './comment-form.tsx'
import { ownersOptions } from './owner-options.ts'
import type { TriageRequest } from './triage-command.ts'

type TriageDialogProps = {
  request: TriageRequest
  onAct(action: TriageAction): Promise<boolean>
  onClose(): void
}

const TITLES: Readonly<Record<TriageRequest['command'], (cases: string) => string>> = {
  assign: (cases) => `Assign ${cases}`,
  close: (cases) => `Close ${cases}`,
  note: (cases) => `Comment on ${cases}`,
}

/** Asks for what a key or a button alone cannot say: why, or what to comment. */
export function TriageDialog({ request: { command, ids }, onAct, onClose }: TriageDialogProps) {
  const act = (action: TriageAction) => {
    onClose()
    return onAct(action)
  }
  const assign = (ownerId: string | null) =>
    act(
      ownerId === null ? { action: 'release', ids: [...ids] } : { action: 'assign', ids: [...ids], ownerId },
    )
  const cases = countOf(ids.length, 'case')
  return (
    <Dialog isOpen size="small" title={TITLES[command](cases)} onClose={onClose}>
      {command === 'close' && (
        <CloseForm onReason={(reason, text) => act({ action: 'close', ids: [...ids], reason, text })} />
      )}
      {command === 'assign' && <AssignForm onOwner={assign} />}
      {command === 'note' && <CommentForm ids={ids} onComment={act} />}
    </Dialog>
  )
}

type AssignFormProps = {
  /** Null for nobody. */
  onOwner(ownerId: string | null): void
}

/** The dialog is open before its choices have come. */
const focus = (input: HTMLInputElement | null) => input?.focus()

const NOBODY = { id: null, name: 'Nobody' }

/** Chooses who deals with some cases: the reader first, then the others by name. */
function AssignForm({ onOwner }: AssignFormProps) {
  const { data, error, refetch } = useQuery(ownersOptions())
  const { data: session } = useQuery(sessionOptions())
  const ownId = session?.user.id ?? null
  const [chosenId, setChosenId] = useState(ownId)
  if (error) return <ErrorPanel error={error} onRetry={() => refetch()} />
  if (!data) return <LoadingParts label="Loading users…" heights={['h-4', 'h-4']} />

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

type CloseFormProps = { onReason(reason: CloseReason, text: string | null): void }

const REASONS = closeReasonSchema.options

/** A reason by its number and Enter: a morning's feed takes many of these. */
function CloseForm({ onReason }: CloseFormProps) {
  const [reason, setReason] = useState<CloseReason>('not_relevant')
  const [text, setText] = useState('')
  const [isMissing, setIsMissing] = useState(false)

  const chooseByNumber = ({ key, target, currentTarget }: KeyboardEvent) => {
    if (target instanceof HTMLInputElement && target.type === 'text') return
    const radio = currentTarget.querySelectorAll<HTMLInputElement>('[name=reason]')[Number(key) - 1]
    radio?.focus()
    radio?.click()
  }
  const close = () => {
    const trimmed = text.trim()
    if (reason === 'other' && !trimmed) return setIsMissing(true)
    onReason(reason, trimmed || null)
  }

  return (
    <form
      className="grid gap-4"
      onKeyDown={chooseByNumber}
      onSubmit={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <fieldset>
        <legend className="mb-1 font-medium">Reason</legend>
        {REASONS.map((each, index) => (
          <RadioRow
            key={each}
            name="reason"
            data-first-focus={index === 0 || undefined}
            checked={reason === each}
            onChange={() => setReason(each)}
          >
            <span className="grow">{closeReason(each)}</span>
            <Kbd>{index + 1}</Kbd>
          </RadioRow>
        ))}
      </fieldset>
      <TextField
        label={reason === 'other' ? 'What reason' : 'Details (optional)'}
        value={text}
        maxLength={TRIAGE_TEXT_MAX_LENGTH}
        error={isMissing && !text.trim() ? 'Say which, so that the team knows.' : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex items-center justify-between gap-2">
        <p className="text-muted text-xs">Closed for the whole team. It can be reopened.</p>
        <Button type="submit" variant="primary">
          Close case
        </Button>
      </div>
    </form>
  )
}

/** A choice among a few that stand below each other: the whole line is pressed. */
function RadioRow({ children, ...input }: ComponentProps<'input'>) {
  return (
    <label className="flex cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 hover:bg-hover max-sm:min-h-11">
      <input type="radio" className="accent-accent" {...input} />
      {children}
    </label>
  )
}
