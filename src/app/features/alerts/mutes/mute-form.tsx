import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button } from '#app/ui/button.tsx'
import { SelectField, TextField } from '#app/ui/field.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { MUTE_REASON_MAX_LENGTH, type Mute, type MuteDraft, type MuteKind } from '#contract/bff/alert-mute.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { muteMutations } from './mute-options.ts'

type MutedName = { kind: MuteKind; name: string }

export type MuteFormProps = {
  /** One of them is muted for. */
  profiles: readonly { id: string; name: string }[]
  /** Names from a record; null if people type the name. */
  names: readonly MutedName[] | null
  onMuted(mute: Mute): void
  onCancel(): void
}

export const KINDS: Readonly<Record<MuteKind, string>> = { victim: 'Victim', actor: 'Actor' }
const DURATIONS: readonly [string, MuteDraft['days']][] = [
  ['1 day', 1],
  ['14 days', 14],
  ['90 days', 90],
  ['Until removed', null],
]

/** A victim or an actor, of which a profile does not notify, until when and why. */
export function MuteForm({ profiles, names, onMuted, onCancel }: MuteFormProps) {
  const [profile, setProfile] = useState(0)
  const [chosen, setChosen] = useState(0)
  const [typed, setTyped] = useState<MutedName>({ kind: 'victim', name: '' })
  const [duration, setDuration] = useState(1)
  const [reason, setReason] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const { mutate, isPending, error } = useMutation(muteMutations(useQueryClient()).mute)
  const subject = names?.[chosen] ?? typed
  const isNamed = subject.name.trim() !== ''
  const hasReason = reason.trim() !== ''

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsSubmitted(true)
    const to = profiles[profile]
    if (!to) return
    if (!isNamed || !hasReason) {
      const empty = isNamed ? 'reason' : 'name'
      return event.currentTarget.querySelector<HTMLElement>(`[name=${empty}]`)?.focus()
    }
    const draft = { ...subject, days: DURATIONS[duration]?.[1] ?? null, reason }
    mutate({ profileId: to.id, draft }, { onSuccess: onMuted })
  }

  return (
    <form noValidate className="grid gap-3" onSubmit={send}>
      {profiles.length > 1 && (
        <SelectField
          label="Profile"
          value={profile}
          onChange={(event) => setProfile(Number(event.target.value))}
        >
          {profiles.map(({ id, name }, at) => (
            <option key={id} value={at}>
              {visibleLine(name)}
            </option>
          ))}
        </SelectField>
      )}
      {names ? (
        <SelectField
          label="Mute"
          value={chosen}
          onChange={(event) => setChosen(Number(event.target.value))}
          hint={
            names.filter(({ kind }) => kind === subject.kind).length > 1
              ? `A record that also names another ${subject.kind} is still sent.`
              : undefined
          }
        >
          {names.map(({ kind, name }, at) => (
            <option key={`${kind} ${name}`} value={at}>
              {KINDS[kind]}: {visibleLine(name)}
            </option>
          ))}
        </SelectField>
      ) : (
        <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-2">
          <SelectField
            label="Mute"
            value={typed.kind}
            onChange={({ target }) =>
              setTyped({ ...typed, kind: target.value === 'actor' ? 'actor' : 'victim' })
            }
          >
            {Object.entries(KINDS).map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Name"
            name="name"
            value={typed.name}
            maxLength={1_000}
            data-first-focus
            error={isSubmitted && !isNamed ? 'Enter the name.' : undefined}
            onChange={({ target }) => setTyped({ ...typed, name: target.value })}
          />
        </div>
      )}
      <SelectField
        label="Duration"
        value={duration}
        onChange={(event) => setDuration(Number(event.target.value))}
      >
        {DURATIONS.map(([label], at) => (
          <option key={label} value={at}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Reason"
        name="reason"
        data-first-focus
        value={reason}
        maxLength={MUTE_REASON_MAX_LENGTH}
        hint="Whoever sees the profile sees it."
        error={isSubmitted && !hasReason ? 'Enter a reason.' : undefined}
        onChange={({ target }) => setReason(target.value)}
      />
      <p className="wrap-anywhere text-muted text-xs">
        Recipients of{' '}
        {profiles.length === 1 && profiles[0] ? (
          <>
            “<Untrusted text={profiles[0].name} maxLength={80} clip="silent" />”
          </>
        ) : (
          'this profile'
        )}{' '}
        are not notified of these matches, not of critical ones either. Other profiles still notify, and the
        backtest still counts them.
      </p>
      <ActionError error={error} not="muted" />
      <div className="flex flex-wrap justify-end gap-2">
        <Button className="max-sm:h-11" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" isBusy={isPending} className="max-sm:h-11">
          Mute
        </Button>
      </div>
    </form>
  )
}
