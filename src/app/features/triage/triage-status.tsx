import { useEffect, useState } from 'react'
import { ApiError } from '#app/api/api-error.ts'
import { countOf } from '#app/format/count.ts'
import { explainError } from '#app/ui/action-error.tsx'
import { Button, IconButton } from '#app/ui/button.tsx'
import { PersonName } from '#app/ui/person-name.tsx'
import type { TriageAction } from '#contract/bff/triage.ts'
import type { TriageOutcome } from './run-triage.ts'

type TriageStatusProps = {
  outcome: TriageOutcome
  onUndo(): void
  /** Undefined where the same try is not to be had again. */
  onRetry: (() => void) | undefined
  onClose(): void
}

const SHOWN_MS = 10_000

const DONE: Readonly<Record<Exclude<TriageAction['action'], 'note'>, string>> = {
  read: 'marked as read',
  unread: 'marked as unread',
  star: 'starred',
  unstar: 'unstarred',
  close: 'closed',
  reopen: 'reopened',
  assign: 'assigned',
  release: 'released',
}

const UNDONE: Readonly<Record<TriageAction['action'], string>> = {
  read: 'Marking as read',
  unread: 'Marking as unread',
  star: 'Star',
  unstar: 'Unstarring',
  close: 'Closing',
  reopen: 'Reopening',
  assign: 'Assignment',
  release: 'Release',
  note: 'Comment',
}

/** Confirms the last action and offers Undo. It closes by itself, but not while it has focus or the pointer. */
export function TriageStatus({ outcome, onUndo, onRetry, onClose }: TriageStatusProps) {
  const [isPaused, setIsPaused] = useState(false)
  const [isOver, setIsOver] = useState(false)
  const { error, change } = outcome

  useEffect(() => {
    if (isPaused || error) return
    const timer = setTimeout(() => setIsOver(true), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isPaused, error])
  if (isOver) return null

  const pauseOnFocus = { onFocus: () => setIsPaused(true), onBlur: () => setIsPaused(false) }
  return (
    <div
      role={error ? 'alert' : 'status'}
      className="fixed bottom-4 left-4 z-30 flex max-w-[calc(100vw-2rem)] items-center gap-2 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-3 text-sm shadow-floating max-sm:bottom-20 print:hidden"
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      {...pauseOnFocus}
    >
      <p className="mr-2 min-w-0">{error ? describeFailure(error) : <Description outcome={outcome} />}</p>
      {change?.undoId && (
        <Button size="small" title="Undo (z)" onClick={onUndo}>
          Undo
        </Button>
      )}
      {error && onRetry && (
        <Button size="small" icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      )}
      <IconButton icon="x" label="Close this message" className="size-7" onClick={onClose} />
    </div>
  )
}

function describeFailure(error: Error): string {
  const { message, detail } = explainError(error)
  const isUnknown = error instanceof ApiError && (error.isAway || error.problem.status === 408)
  return `${isUnknown ? 'No answer came, so it may not be done' : 'Not done'}. ${message}. ${detail}`
}

function Description({ outcome: { run, change } }: { outcome: TriageOutcome }) {
  const { action, undoId } = run
  const cases = change?.caseCount ?? 0
  if (cases === 0) return 'Somebody had done this already.'
  if (undoId !== undefined) return `${UNDONE[action.action]} undone`
  if (action.action === 'note') return 'Comment added'
  return (
    <>
      {countOf(cases, 'case')} {DONE[action.action]}
      {change?.overtook && (
        <>
          . This replaces what <PersonName name={change.overtook.who} /> did
        </>
      )}
    </>
  )
}
