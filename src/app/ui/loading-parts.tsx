import { Skeleton } from './skeleton.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

type LoadingPartsProps = {
  /** Sentence for screen readers: `Loading the calls…`. */
  label: string
  /** The heights of what the answer is likely to bring. */
  heights: readonly string[]
  className?: string
}

/** Takes the place of parts that are still loading. */
export function LoadingParts({ label, heights, className = 'grid gap-4' }: LoadingPartsProps) {
  return (
    <div role="status" className={className}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {heights.map((height, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they do not change
        <Skeleton key={at} className={`w-full rounded-lg ${height}`} />
      ))}
    </div>
  )
}
