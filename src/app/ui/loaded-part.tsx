import type { ReactNode } from 'react'
import { ErrorPanel } from './error-panel.tsx'
import { Skeleton } from './skeleton.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

type LoadedPartProps<Data> = {
  query: { data: Data | undefined; error: Error | null; refetch(): unknown }
  /** Name of the part for screen readers while it loads: `the mutes`. */
  name: string
  /** The heights of what the answer is likely to bring. */
  heights?: readonly string[]
  /** Classes of the placeholder and of the error. */
  className?: string
  children(data: Data): ReactNode
}

/** A page, or a part of a card, that a query brings: its answer, or before that why there is none. */
export function LoadedPart<Data>(props: LoadedPartProps<Data>) {
  const { query, name, heights = ['h-12'], className = 'grid gap-4 p-4', children } = props
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error) {
    return (
      <div className={className}>
        <ErrorPanel error={error} onRetry={() => refetch()} />
      </div>
    )
  }
  return <LoadingParts label={`Loading ${name}…`} heights={heights} className={className} />
}

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
