import { onlineManager } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { duration, type Instant, millisecondsOf } from '#app/format/time.ts'
import { explainError } from './action-error.tsx'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import { Time } from './time.tsx'

type ErrorPanelProps = {
  error: unknown
  /** Tries again: on a press, and by itself when the wait that the error names is over, or Lantern answers again. Not offered where it cannot help. */
  onRetry?: () => void
}

/** Shows what went wrong, what the user can do and when to try again. */
export function ErrorPanel({ error, onRetry }: ErrorPanelProps) {
  const { message, detail, retryAt, requestId, isFinal, isAway } = explainError(error)
  useRetryOnReturn(isAway ? onRetry : undefined)
  return (
    <section
      role="alert"
      className="grid max-w-2xl grid-cols-[auto_1fr] gap-x-3 rounded-lg border border-line bg-surface p-4"
    >
      <Icon name="alert" className="mt-0.5 size-5 text-critical" />
      <div className="grid gap-1">
        <p className="font-semibold text-base">{message}</p>
        <p className="text-muted text-sm">{detail}</p>
        <div className="mt-2 flex flex-wrap items-center gap-3 empty:hidden">
          {onRetry && !isFinal && <Retry key={retryAt} retryAt={retryAt} onRetry={onRetry} />}
          {requestId && (
            <span className="inline-flex flex-wrap items-center gap-2 text-faint text-xs">
              Request <code className="font-mono">{requestId}</code>
              <CopyButton text={requestId} label="Copy id" variant="quiet" />
            </span>
          )}
        </div>
      </div>
    </section>
  )
}

// A browser whose clock runs ahead must not take every wait for over.
const LEAST_WAIT_MS = 5000

function Retry({ retryAt, onRetry }: { retryAt?: string; onRetry: () => void }) {
  const [shownAt] = useState(Date.now)
  const endsAt = retryAt ? Math.max(millisecondsOf(retryAt), shownAt + LEAST_WAIT_MS) : null
  const secondsLeft = useSecondsUntil(endsAt)
  const isOver = endsAt !== null && secondsLeft === 0
  const retryWhenOver = useEffectEvent(onRetry)

  useEffect(() => {
    if (isOver) retryWhenOver()
  }, [isOver])

  return (
    <>
      <Button icon="refresh" disabled={secondsLeft > 0} onClick={onRetry}>
        Try again
      </Button>
      {secondsLeft > 0 && (
        // Ticking words inside an alert would be read out every second.
        <span aria-live="off" className="text-muted text-xs tabular-nums">
          in {duration(secondsLeft * 1000)}, at <Time at={endsAt} show="clock" />
        </span>
      )}
    </>
  )
}

/** An answer may fail to come once, while others do. */
const LEAST_PAUSE_MS = 5_000

/** Tries again by itself once Lantern answers; undefined for what no answer can help. */
function useRetryOnReturn(onRetry: (() => void) | undefined): void {
  const isWanted = onRetry !== undefined
  const retry = useEffectEvent(() => {
    if (onlineManager.isOnline()) onRetry?.()
  })

  useEffect(() => {
    if (!isWanted) return
    const timer = setTimeout(() => retry(), LEAST_PAUSE_MS)
    const unsubscribe = onlineManager.subscribe(() => retry())
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [isWanted])
}

const TICK_MS = 1000

/** Counts down to a time; 0 when it is past, or no time. Key the component to start anew. */
function useSecondsUntil(end: Instant): number {
  const [now, setNow] = useState(Date.now)
  const secondsLeft = Math.max(0, Math.ceil((millisecondsOf(end) - now) / TICK_MS)) || 0
  const isWaiting = secondsLeft > 0

  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isWaiting])

  return secondsLeft
}
