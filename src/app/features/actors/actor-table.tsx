import { useLayoutEffect, useRef, useState } from 'react'
import { useWindowRows } from '#app/ui/use-window-rows.ts'
import type { Actor, ActorList } from '#contract/bff/actor.ts'
import { ACTOR_ROW_REM } from './actor-grid.ts'
import { ActorRow } from './actor-row.tsx'
import type { ActorSearch } from './actor-search.ts'
import { ActorTableHead } from './actor-table-head.tsx'

type ActorTableProps = { actors: readonly Actor[]; days: ActorList['days']; search: ActorSearch }

const OVERSCAN_ROWS = 8
const STICKY_PX = 96

/** Draws only the rows in sight, at the window's own scrolling. */
export function ActorTable({ actors, days, search }: ActorTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [topPx, setTopPx] = useState(0)
  const [rowPx] = useState(() => ACTOR_ROW_REM * rootFontPx())
  const [focused, setFocused] = useState(-1)
  const inSight = useWindowRows({ count: actors.length, rowPx, topPx, coveredPx: STICKY_PX })

  // What stands above can change its height at any time.
  useLayoutEffect(() => {
    const top = (body.current?.getBoundingClientRect().top ?? 0) + scrollY
    if (Math.abs(top - topPx) > 1) setTopPx(top)
  })

  const first = Math.max(0, inSight.first - OVERSCAN_ROWS)
  const end = Math.min(actors.length, inSight.end + OVERSCAN_ROWS)
  // The row that has the focus stays, however far: a lost focus starts again at the top.
  const isDrawn = (index: number) => (index >= first && index < end) || index === focused

  return (
    <table className="block" aria-rowcount={actors.length + 1}>
      <caption className="sr-only">Actors, with their mentions in the last 30 days</caption>
      <ActorTableHead search={search} />
      <tbody ref={body} className="relative block" style={{ height: actors.length * rowPx }}>
        {actors.map(
          (actor, index) =>
            isDrawn(index) && (
              <ActorRow
                key={actor.name}
                actor={actor}
                firstDay={days.at(0)?.date}
                rowIndex={index + 2}
                top={index * rowPx}
                onFocus={() => setFocused(index)}
              />
            ),
        )}
      </tbody>
    </table>
  )
}

function rootFontPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
}
