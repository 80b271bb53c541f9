import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { count, countOf } from '#app/format/count.ts'
import { countryName } from '#app/format/country-name.ts'
import { useFollow } from '#app/ui/use-follow.ts'
import type { Country } from '#contract/bff/country.ts'
import { type MapStep, mapSteps, stepOf } from './map-steps.ts'
import { nounsOf, threatsOf } from './sort-countries.ts'
import { MAP_HEIGHT, MAP_WIDTH, WORLD_SHAPES } from './world-shapes.ts'

type WorldMapProps = {
  countries: readonly Country[]
  /** Name of the counted period: `30 days`. */
  period: string
  /** Search parameters for links to countries. */
  search: { period: string | undefined; rows: 'claims' | undefined }
  /** All of the period is stored: a country without threats had none. */
  isWhole: boolean
}

const LAND = 'stroke-surface stroke-[0.5]'

/** The same counts as the table, where they are. For eyes and pointers: the table is for all others. */
export function WorldMap({ countries, period, search, isWhole }: WorldMapProps) {
  const follow = useFollow()
  const { options } = useRouter()
  const query = options.stringifySearch(search)
  const [pointed, setPointed] = useState<string | null>(null)
  const counts = new Map(countries.map((country) => [country.code, threatsOf(country)]))
  const nouns = nounsOf(countries)
  const steps = mapSteps([...counts.values()])
  const none = isWhole ? 'fill-pressed' : 'fill-[url(#unknown-land)]'

  return (
    <figure className="grid gap-2 p-4">
      <svg
        viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
        aria-hidden="true"
        className="h-auto w-full"
        onPointerLeave={() => setPointed(null)}
      >
        <defs>
          <pattern
            id="unknown-land"
            width="5"
            height="5"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="5" height="5" className="fill-hover" />
            <path d="M0 0V5" className="stroke-[1.5] stroke-edge" />
          </pattern>
        </defs>
        {WORLD_SHAPES.map(({ id, code, path }) => {
          const threats = (code && counts.get(code)) || 0
          const step = stepOf(steps, threats)
          if (code === null || step < 0) {
            const fill = code === null ? 'fill-[url(#unknown-land)]' : none
            return (
              <path key={id} d={path} className={`${LAND} ${fill}`} onPointerEnter={() => setPointed(code)} />
            )
          }
          return (
            // Plain: the router's own link, a hundred times, takes as long as the rest of the map.
            <a
              key={id}
              href={`/countries/${code}${query}`}
              onClick={follow}
              // Each country is a link of the table as well: a hundred stops more would help nobody.
              tabIndex={-1}
              onPointerEnter={() => setPointed(code)}
            >
              <path d={path} className={`${LAND} hover:fill-ink ${STEP_FILLS[step]}`} />
            </a>
          )
        })}
      </svg>
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-xs">
        <MapLegend steps={steps} nouns={nouns} period={period} isWhole={isWhole} />
        <span aria-hidden="true" className="ml-auto min-h-4 font-medium text-ink tabular-nums">
          {pointed && `${countryName(pointed)}: ${describe(counts.get(pointed), { nouns, isWhole })}`}
        </span>
      </figcaption>
    </figure>
  )
}

function describe(
  counted: number | undefined,
  { nouns, isWhole }: { nouns: 'cases' | 'claims'; isWhole: boolean },
): string {
  if (counted) return countOf(counted, nouns === 'cases' ? 'case' : 'claim')
  return isWhole ? `no ${nouns}` : 'none known'
}

/** From few to many, on either theme's ground. */
const STEP_FILLS = [
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
function MapLegend({ steps, nouns, period, isWhole }: MapLegendProps) {
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
