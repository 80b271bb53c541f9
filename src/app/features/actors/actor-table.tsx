import { useState } from 'react'
import { useWindowRows } from '#app/ui/use-window-rows.ts'
import type { Actor, ActorList } from '#contract/bff/actor.ts'
import { ACTOR_ROW_REM } from './actor-grid.ts'
import { ActorRow } from './actor-row.tsx'
import type { ActorSearch } from './actor-search.ts'
import { ActorTableHead } from './actor-table-head.tsx'

type ActorTableProps = {
  actors: readonly Actor[]
  days: ActorList['days']
  /** What the mentions are counted in: `the last 30 days`. */
  held: string
  search: ActorSearch
}

const STICKY_PX = 96

/** Draws only the rows in sight, at the window's own scrolling. */
export function ActorTable({ actors, days, held, search }: ActorTableProps) {
  const [focused, setFocused] = useState(-1)
  const rows = useWindowRows({
    count: actors.length,
    rowRem: ACTOR_ROW_REM,
    coveredPx: STICKY_PX,
    pinned: focused,
  })

  return (
    <table className="block" aria-rowcount={actors.length + 1}>
      <caption className="sr-only">Actors, with their mentions in {held}</caption>
      <ActorTableHead search={search} />
      <tbody ref={rows.body} className="relative block" style={rows.bodyStyle}>
        {rows.drawn.map((index) => {
          const actor = actors[index]
          return (
            actor && (
              <ActorRow
                key={actor.name}
                actor={actor}
                firstDay={days.at(0)?.date}
                rowIndex={index + 2}
                top={rows.topOf(index)}
                onFocus={() => setFocused(index)}
              />
            )
          )
        })}
      </tbody>
    </table>
  )
}
