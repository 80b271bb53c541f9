import { count } from '#app/format/count.ts'
import type { MapStep } from './map-steps.ts'

/** From few to many, on either theme's ground. */
export const STEP_FILLS = [
  'fill-accent/25',
  'fill-accent/40',
  'fill-accent/60',
  'fill-accent/80',
  'fill-accent',
] as const

type MapLegendProps = {
  steps: readonly MapStep[]
  nouns: 'cases' | 'claims'
  period: string
  isWhole: boolean
}

const BOX = 'h-3 w-4 shrink-0'

/** Legend for the shades of the map. */
export function MapLegend({ steps, nouns, period, isWhole }: MapLegendProps) {
  return (
    <ul
      aria-label={`${nouns === 'cases' ? 'Cases' : 'Claims'} in ${period}`}
      className="flex flex-wrap gap-x-3 gap-y-1"
    >
      <li className="flex items-center gap-1.5">
        <svg aria-hidden="true" className={BOX}>
          <rect
            width="100%"
            height="100%"
            className={isWhole ? 'fill-pressed' : 'fill-[url(#unknown-land)]'}
          />
        </svg>
        {isWhole ? `no ${nouns}` : 'none known so far'}
      </li>
      {steps.map(({ from, to }, at) => (
        <li key={to} className="flex items-center gap-1.5 tabular-nums">
          <svg aria-hidden="true" className={BOX}>
            <rect width="100%" height="100%" className={STEP_FILLS[at]} />
          </svg>
          {from === to ? count(from) : `${count(from)}–${count(to)}`}
          {at === steps.length - 1 && ` ${nouns}`}
        </li>
      ))}
    </ul>
  )
}
