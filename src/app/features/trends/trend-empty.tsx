import { EmptyState } from '#app/ui/empty-state.tsx'
import { GAP_REASONS } from '#contract/bff/coverage.ts'
import { periodPhrase } from '#contract/bff/period.ts'
import type { TrendAnswer } from '#contract/bff/trend.ts'

/** Why there is no chart, and whether one will come. */
export function TrendEmpty({ answer: { trend, freshness } }: { answer: TrendAnswer }) {
  const { name, isRunning } = trend.period
  const start = trend.days.at(0)?.from ?? ''
  const gap = freshness.coverage?.gaps.find(({ from, to }) => to > start && (from === null || from <= start))
  const why = gap ? `: ${GAP_REASONS[gap.why]}` : ''
  return (
    <EmptyState icon="clock" title={isRunning ? 'Nothing to count yet' : 'Not stored'}>
      {isRunning
        ? `Lantern has read no threats of ${periodPhrase(name)} yet. The chart appears as soon as it has.`
        : `No threats of ${periodPhrase(name)} are stored${why}.`}
    </EmptyState>
  )
}
