import { count } from '#app/format/count.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { compareCounts } from './compare-counts.ts'

type ChangeProps = {
  count: number
  /** Of the time before; null where unknown. */
  previous: number | null
}

const MARKS = {
  up: { sign: '▲', color: 'text-high' },
  down: { sign: '▼', color: 'text-low' },
  new: { sign: '', color: 'text-high' },
  same: { sign: '', color: 'text-faint' },
  unknown: { sign: '', color: 'text-faint' },
} as const

/** How a count differs from the one before: a shape, a share and, for ears, the words. */
export function Change({ count: now, previous }: ChangeProps) {
  const { kind, short, words } = compareCounts(now, previous)
  const { sign, color } = MARKS[kind]
  const before = previous === null ? undefined : `${count(previous)} before`
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
