import { millisecondsOf } from '#app/format/time.ts'
import { Icon } from './icon.tsx'
import { Time } from './time.tsx'
import { useNow } from './use-now.ts'

type StaleBannerProps = {
  freshness: { fetchedAt: string; isStale: boolean; staleReason: string | null }
  className?: string
}

const OLD_MS = 60 * 60_000

/** Stands above what is not current for long: an age note alone is easily missed. */
export function StaleBanner({ freshness, className = 'border-b' }: StaleBannerProps) {
  const { fetchedAt, isStale, staleReason } = freshness
  const ageMs = useNow() - millisecondsOf(fetchedAt)
  if (!isStale || ageMs < OLD_MS) return null
  return (
    <p
      className={`flex items-start gap-2 border-medium/30 bg-medium/10 px-4 py-2 text-ink text-sm ${className}`}
    >
      <Icon name="clock" className="mt-0.5 size-4 shrink-0 text-medium" />
      <span>
        This is what Lantern knew on <Time at={fetchedAt} />, <Time at={fetchedAt} show="age" />.{' '}
        {staleReason}
      </span>
    </p>
  )
}
