import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { sessionOptions } from '#app/features/session/session-options.ts'
import { ActionError } from '#app/ui/action-error.tsx'
import { Button, buttonLook } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { visibleLine } from '#contract/visible-text.ts'
import { AskFirst } from './ask-first.tsx'
import { lanternProfileMutations } from './lantern-profile-options.ts'
import { PauseButton } from './pause-button.tsx'
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
        <AskFirst
          label="Delete…"
          warning="This cannot be undone. Waiting messages are not sent."
          confirm="Delete for good"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(id)}
        >
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
        </AskFirst>
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
