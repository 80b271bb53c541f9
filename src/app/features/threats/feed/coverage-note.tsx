import { Time } from '#app/ui/time.tsx'
import { type Coverage, GAP_REASONS } from '#contract/bff/coverage.ts'

type CoverageNoteProps = {
  coverage: Coverage | undefined
  /** Without the reasons, for a line that has little room. */
  isShort?: boolean
}

/** Which part of the time that a list asks for is stored, and why the rest is not; nothing where all of it is. */
export function CoverageNote({ coverage, isShort = false }: CoverageNoteProps) {
  if (!coverage || coverage.gaps.length === 0) return null
  const { from, gaps } = coverage
  const older = gaps.at(-1)
  if (from === null) {
    return isShort ? null : <span>None of this time is stored{older && `: ${GAP_REASONS[older.why]}`}.</span>
  }
  const isOlder = older !== undefined && older.to <= from
  const inner = isOlder ? gaps.slice(0, -1) : gaps
  return (
    <span>
      {isOlder && (
        <>
          Stored from <Time at={from} show="day" />
          {!isShort && `. Older ones: ${GAP_REASONS[older.why]}.`}
        </>
      )}
      {!isShort &&
        inner.map((gap) => (
          <span key={gap.to}>
            {' '}
            Not stored: <Time at={gap.from ?? from} show="exact" /> to <Time at={gap.to} show="exact" /> (
            {GAP_REASONS[gap.why]}).
          </span>
        ))}
    </span>
  )
}
