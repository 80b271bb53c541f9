import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { AskFirst } from '#app/ui/ask-first.tsx'
import { Button, buttonLook } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { closePopoverOf, Popover } from '#app/ui/popover.tsx'
import { HOUR_MS } from '#contract/duration.ts'
import { visibleLine } from '#contract/visible-text.ts'
import { lanternProfileMutations } from '../lantern-profile-options.ts'
import { profileMutations } from './profile-mutations.ts'
import type { ProfileRow } from './profile-row.ts'

const LOOK = `relative z-1 ${buttonLook({ size: 'small' })} max-sm:h-11`

/** Actions that the user may take on a profile, wherever it runs. Its panel and its row share them. */
export function ProfileActions({ row }: { row: ProfileRow }) {
  const { runsIn, profile, summary } = row
  const { id, name } = profile
  const { data: session } = useQuery(sessionOptions())
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const ofVendor = profileMutations(queryClient)
  const inLantern = lanternProfileMutations(queryClient)
  const changeOfVendor = useMutation(ofVendor.change)
  const changeInLantern = useMutation(inLantern.change)
  // Takes the focus from the button that goes.
  const actions = useRef<HTMLDivElement>(null)
  const leave = useMutation({ ...inLantern.leave, onSuccess: () => actions.current?.focus() })
  const remove = useMutation({
    ...(runsIn === 'vendor' ? ofVendor.remove : inLantern.remove),
    onSuccess: () =>
      navigate({ to: '/alerts', search: (before) => ({ find: before.find }), resetScroll: false }),
  })
  if (!session) return null
  const { role, id: ownId } = session.user
  const isOwn = runsIn === 'lantern' && profile.owner?.isMe === true
  // The vendor's own account lets nobody change a profile; only Lantern's own service reports how messages go.
  const canChange =
    runsIn === 'vendor'
      ? role !== 'viewer' && summary !== null
      : role === 'admin' || (role === 'analyst' && isOwn)
  const notifiesMe =
    runsIn === 'lantern' && profile.recipients.some((one) => one.channel === 'user' && one.userId === ownId)
  const setState = (state: 'active' | 'paused', pausedUntil: string | null = null) =>
    runsIn === 'vendor'
      ? changeOfVendor.mutate({ id, change: { state } })
      : changeInLantern.mutate({ id, change: state === 'paused' ? { state, pausedUntil } : { state } })
  const error = changeOfVendor.error ?? changeInLantern.error ?? remove.error ?? leave.error
  return (
    <div ref={actions} tabIndex={-1} className="flex flex-wrap items-center gap-2 outline-none">
      {role !== 'viewer' && (
        <Link
          to="/alerts/new"
          search={{ copy: id }}
          aria-label={`Duplicate ${visibleLine(name)}`}
          className={LOOK}
        >
          <Icon name="copy" className="size-3.5" />
          Duplicate
        </Link>
      )}
      {canChange && (
        <>
          <Link to="/alerts/new" search={{ edit: id }} className={LOOK}>
            Edit
          </Link>
          <PauseButton
            isPaused={summary?.state === 'paused'}
            hasEnd={runsIn === 'lantern'}
            isBusy={changeOfVendor.isPending || changeInLantern.isPending}
            onPause={(until) => setState('paused', until)}
            onResume={() => setState('active')}
          />
          <AskFirst
            label="Delete…"
            warning="This cannot be undone. Waiting messages are not sent."
            confirm="Delete for good"
            isBusy={remove.isPending}
            onConfirm={() => remove.mutate(id)}
          />
        </>
      )}
      {notifiesMe && (
        <Button
          size="small"
          isBusy={leave.isPending}
          className="max-sm:h-11"
          onClick={() => leave.mutate(id)}
        >
          Stop notifying me
        </Button>
      )}
      <p role="status" className="text-muted text-xs empty:hidden">
        {leave.isSuccess && !notifiesMe && 'You are not notified any more.'}
      </p>
      <ActionError error={error} not="done" />
    </div>
  )
}

type PauseButtonProps = {
  isPaused: boolean
  isBusy: boolean
  /** True if the pause can end by itself. */
  hasEnd: boolean
  /** Null until somebody resumes it. */
  onPause(until: string | null): void
  onResume(): void
}

/** Pauses for a while, until a day, or until somebody resumes. */
function PauseButton({ isPaused, isBusy, hasEnd, onPause, onResume }: PauseButtonProps) {
  const [day, setDay] = useState('')
  const after = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
  const choices: readonly [string, () => string | null][] = [
    ['For 1 hour', () => after(1)],
    ['For 8 hours', () => after(8)],
    ['Until Monday', () => nextMonday(new Date()).toISOString()],
    ['Until somebody resumes it', () => null],
  ]
  return (
    <Popover
      label="Pause"
      className="w-64 p-2"
      renderTrigger={(trigger) => (
        // One button, paused or not: it keeps the focus.
        <Button
          size="small"
          isBusy={isBusy}
          className="max-sm:h-11"
          {...(hasEnd && !isPaused ? trigger : { onClick: () => (isPaused ? onResume() : onPause(null)) })}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      )}
    >
      <div className="grid gap-1">
        {choices.map(([label, until]) => (
          <Button
            key={label}
            variant="quiet"
            className="justify-start! max-sm:h-11"
            onClick={(event) => {
              closePopoverOf(event.currentTarget)
              onPause(until())
            }}
          >
            {label}
          </Button>
        ))}
        <div className="flex items-end gap-2 px-2 pt-1">
          <TextField
            label="Until a date"
            type="date"
            className="min-w-0 flex-1"
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
          <Button
            disabled={day === '' || startOf(day) <= Date.now()}
            className="max-sm:h-11"
            onClick={(event) => {
              closePopoverOf(event.currentTarget)
              onPause(new Date(startOf(day)).toISOString())
            }}
          >
            Pause
          </Button>
        </div>
      </div>
    </Popover>
  )
}

/** Returns the start of a day by the clock of this browser, epoch milliseconds. */
function startOf(day: string): number {
  return new Date(`${day}T00:00:00`).getTime()
}

/** 09:00 of the Monday to come, by the reader's clock. */
export function nextMonday(now: Date): Date {
  const daysAhead = (8 - now.getDay()) % 7 || 7
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysAhead, 9)
}
