import { count } from '#app/format/count.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { type Compared, compareCounts } from './compare-counts.ts'

type ChangeProps = {
  /** Null where nothing can be compared. */
  compared: Compared | null
}

const MARKS = {
  up: { sign: '▲', color: 'text-high' },
  down: { sign: '▼', color: 'text-low' },
  new: { sign: '', color: 'text-high' },
  same: { sign: '', color: 'text-faint' },
  unknown: { sign: '', color: 'text-faint' },
} as const

/** How a period so far differs from the same part of the one before: a shape, a share and, for ears, the words. */
export function Change({ compared }: ChangeProps) {
  const { kind, short, words } = compareCounts(compared)
  const { sign, color } = MARKS[kind]
  const before = compared
    ? `${count(compared.count)}${wordsOf(compared)}, ${count(compared.previous)} in the same part of the time before`
    : undefined
  return (
    <span title={before} className={`whitespace-nowrap text-xs tabular-nums ${color}`}>
      <span aria-hidden="true">
        {sign && <span className="mr-0.5 text-[0.8em]">{sign}</span>}
        {short}
      </span>
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}

function wordsOf({ isWithoutToday, isOver }: Compared): string {
  if (isOver) return ''
  return isWithoutToday ? ' without today' : ' so far'
}

/** The same where there is room to say that today is in it. */
export function ChangeSoFar({ compared, isRunning = true }: ChangeProps & { isRunning?: boolean }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-1.5">
      {compared && <Change compared={compared} />}
      {isRunning && (compared?.isWithoutToday ? 'without today' : 'today so far')}
    </span>
  )
}
