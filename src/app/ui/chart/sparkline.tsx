import { visibleLine } from '#contract/visible-text.ts'

type SparklineProps = {
  /** Oldest first; null where unknown. */
  counts: readonly (number | null)[]
  /** Text alternative. The numbers are elsewhere on the page. */
  label: string
  className?: string
}

const STEP = 4
const BAR = 3
const HEIGHT = 20

/** Counts by day, as high as a line of text. An unknown day is a grey ground, and a quiet day a thin foot. */
export function Sparkline({ counts, label, className = 'h-5 w-30' }: SparklineProps) {
  const most = Math.max(1, ...counts.map((count) => count ?? 0))
  // Paths, not a mark for each day: a table may hold a hundred of these.
  const draw = (isDrawn: (count: number | null) => boolean, barOf: (count: number) => string) =>
    counts
      .map((count, day) => (isDrawn(count) ? `M${day * STEP} ${HEIGHT}${barOf(count ?? 0)}z` : ''))
      .join('')
  const bar = (height: number, width = BAR) => `v${-height}h${width}v${height}`

  return (
    <svg
      viewBox={`0 0 ${counts.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={visibleLine(label)}
      className={`block shrink-0 ${className}`}
    >
      <path
        d={draw(
          (count) => count === null,
          () => bar(HEIGHT, STEP),
        )}
        className="fill-pressed"
      />
      <path
        d={draw(
          (count) => count === 0,
          () => bar(1),
        )}
        className="fill-edge"
      />
      <path
        d={draw(Boolean, (count) => bar(Math.max(2, Math.round((count / most) * HEIGHT))))}
        className="fill-accent"
      />
    </svg>
  )
}
