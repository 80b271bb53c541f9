import { ApiError } from '#app/api/api-error.ts'
import { duration } from '#app/format/time.ts'
import { Icon } from '#app/ui/icon.tsx'
import { useSecondsUntil } from '#app/ui/use-seconds-until.ts'

export function SignInError({ error }: { error: Error }) {
  const secondsLeft = useSecondsUntil(error instanceof ApiError ? error.retryAt : undefined)
  return (
    <div
      role="alert"
      className="flex gap-2 rounded-md border border-critical/35 bg-critical/10 px-3 py-2 text-sm"
    >
      <Icon name="alert" className="mt-0.5 size-4 text-critical" />
      <div>
        <p className="font-medium">{error.message}</p>
        {error instanceof ApiError && <p className="text-muted">{error.detail}</p>}
        {secondsLeft > 0 && (
          <p aria-live="off" className="text-muted tabular-nums">
            Try again in {duration(secondsLeft * 1000)}.
          </p>
        )}
      </div>
    </div>
  )
}
