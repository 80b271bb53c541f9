import { useEffect, useEffectEvent, useState } from 'react'
import { duration, millisecondsOf } from '#app/format/time.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Icon } from './icon.tsx'
import { Time } from './time.tsx'

/** What an error can tell a person beside its message. An error of the API tells it all. */
export type ExplainedError = Error & { detail?: string; retryAt?: string; requestId?: string }

type ErrorPanelProps = {
  error: ExplainedError
  /** Tries again: on a press, and by itself when the wait that the error names is over. */
  onRetry?: () => void
}

/** What went wrong, what the reader can do, and when it is worth another try. */
export function ErrorPanel({ error, onRetry }: ErrorPanelProps) {
  return (
    <section
      role="alert"
      className="grid max-w-2xl grid-cols-[auto_1fr] gap-x-3 rounded-lg border border-line bg-surface p-4"
    >
      <Icon name="alert" className="mt-0.5 size-5 text-critical" />
      <div className="grid gap-1">
        <p className="font-semibold text-base">
          {error.detail ? error.message : 'This part of the page broke'}
        </p>
        <p className="text-muted text-sm">
          {error.detail ?? 'Reload the page. If it happens again, tell an administrator what you did.'}
        </p>
        <div className="mt-2 flex flex-wrap items-center gap-3">
          {onRetry && <Retry key={error.retryAt} retryAt={error.retryAt} onRetry={onRetry} />}
          {error.requestId && (
            <span className="inline-flex flex-wrap items-center gap-2 text-faint text-xs">
              Request <code className="font-mono">{error.requestId}</code>
              <CopyButton text={error.requestId} label="Copy id" variant="quiet" />
            </span>
          )}
        </div>
      </div>
    </section>
  )
}

const TICK_MS = 1000
// A browser whose clock runs ahead must not take every wait for over.
const LEAST_WAIT_MS = 5000

function Retry({ retryAt, onRetry }: { retryAt?: string; onRetry: () => void }) {
  const [shownAt] = useState(Date.now)
  const [now, setNow] = useState(shownAt)
  const endsAt = retryAt ? Math.max(millisecondsOf(retryAt), shownAt + LEAST_WAIT_MS) : shownAt
  const isWaiting = now < endsAt
  const retryWhenOver = useEffectEvent(onRetry)

  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= endsAt) retryWhenOver()
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [isWaiting, endsAt])

  return (
    <>
      <Button icon="refresh" disabled={isWaiting} onClick={onRetry}>
        Try again
      </Button>
      {isWaiting && (
        <span className="text-muted text-xs tabular-nums">
          in {duration(endsAt - now)}, at <Time at={endsAt} show="clock" />
        </span>
      )}
    </>
  )
}
