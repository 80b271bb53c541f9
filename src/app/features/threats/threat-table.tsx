import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { useLightRows } from '#app/ui/use-light-rows.ts'
import { useWindowRows } from '#app/ui/use-window-rows.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { TriageFilter } from '#contract/bff/triage-filter.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import type { RouteSet } from '#contract/route-set.ts'
import type { FeedTriage } from './feed-triage.ts'
import { isUnmatched } from './is-unmatched.ts'
import { ROW_REM } from './row-grid.ts'
import { focusThreatRow, ThreatRow, type ThreatRowActions } from './threat-row.tsx'
import { ThreatTableHead } from './threat-table-head.tsx'
import { UnmatchedNote } from './unmatched-note.tsx'
import { useFeedKeys } from './use-feed-keys.ts'
import { useIsCard } from './use-is-card.ts'

type ThreatTableProps = {
  threats: readonly Threat[]
  /** Null where nobody knows. */
  total: number | null
  /** Kept in the rows' links. */
  set: RouteSet | undefined
  /** Named by the filters: they stand first in their rows. */
  askedActors: readonly string[] | undefined
  askedCountries: readonly string[] | undefined
  selected: ReadonlySet<string>
  /** Ticks all rows at once. */
  selectAll: ReactNode
  /** The row that a returning reader left. */
  initialActiveId: string | null
  triage: FeedTriage
  /** By what the team has done: rows that it does not find any more stay, and are told of. */
  triageFilter: TriageFilter | undefined
  /** Where that is told; null before it is there. */
  newsSlot: Element | null
  onReload(): void
  onSelect(threat: Threat): void
  /** All rows from the one that was ticked last. */
  onSelectThrough(threat: Threat): void
  onOpen(threat: Threat): void
  /** There is an older page, and nothing speaks against fetching it. */
  canGoOn: boolean
  /** The last rows are near, and there can be more. */
  onNearEnd(): void
}

const NEAR_END_ROWS = 15
/** What sticks to the top of the window must not cover the row that has the focus. */
const STICKY_PX = 128
/** So many rows around those in sight share one question about what the team has done with them. */
const BLOCK_ROWS = 50

/** Draws only the rows in sight, at the window's own scrolling. */
export function ThreatTable({
  threats,
  total,
  set,
  askedActors,
  askedCountries,
  selected,
  selectAll,
  initialActiveId,
  triage,
  triageFilter,
  newsSlot,
  canGoOn,
  ...on
}: ThreatTableProps) {
  const [activeId, setActiveId] = useState(initialActiveId)
  const [pointedId, setPointedId] = useState<string | null>(null)
  const isCard = useIsCard()
  const ownMenuId = useId()
  const menuId = triage.isAllowed && isCard ? ownMenuId : undefined
  const activeIndex = activeId === null ? -1 : threats.findIndex(({ id }) => id === activeId)

  const inSight = useWindowRows({
    count: threats.length,
    rowRem: ROW_REM,
    coveredPx: STICKY_PX,
    pinned: activeIndex,
  })

  const isLight = useLightRows(inSight)

  const isAtEdge = canGoOn && inSight.end > threats.length - NEAR_END_ROWS
  const tellNearEnd = useEffectEvent(on.onNearEnd)
  useEffect(() => {
    if (isAtEdge) tellNearEnd()
  }, [isAtEdge])

  const latest = useRef(on)
  useLayoutEffect(() => {
    latest.current = on
  })
  const [actions] = useState<ThreatRowActions>(() => ({
    focus: setActiveId,
    point: setPointedId,
    select: (threat) => latest.current.onSelect(threat),
    selectThrough: (threat) => latest.current.onSelectThrough(threat),
    open: (threat) => latest.current.onOpen(threat),
  }))

  const move = (step: 1 | -1) => {
    // After the wheel has carried the row away, the keys go on from where the reader looks.
    const index = inSight.hasWhole(activeIndex) ? activeIndex + step : inSight.firstWhole()
    const threat = threats[index]
    if (!threat) return
    // The row must be there before it can take the focus.
    flushSync(() => setActiveId(threat.id))
    inSight.scrollToRow(index)
    focusThreatRow(threat.id, { preventScroll: true })
  }
  const active = threats[activeIndex]
  const meant = selected.size > 0 ? [...selected] : active ? [active.id] : []
  const command = (name: Parameters<FeedTriage['onCommand']>[0]) =>
    triage.isAllowed && meant.length > 0 ? () => triage.onCommand(name, meant) : undefined
  useFeedKeys({
    next: () => move(1),
    previous: () => move(-1),
    select: active && (() => on.onSelect(active)),
    selectThrough: active && (() => on.onSelectThrough(active)),
    read: command('read'),
    star: command('star'),
    dismiss: command('dismiss'),
    note: command('note'),
    undo: triage.isAllowed ? triage.onUndo : undefined,
  })

  const toolsId = triage.isAllowed && !isCard ? (pointedId ?? activeId) : null
  const around = idsAround(threats, inSight.first)
  const draw = (states: ReadonlyMap<string, TriageState>): ReactNode => (
    <>
      {newsSlot &&
        createPortal(
          <UnmatchedNote
            unmatched={around.filter((id) => isUnmatched(triageFilter, states.get(id))).length}
            isWhole={around.length === threats.length}
            onReload={on.onReload}
          />,
          newsSlot,
        )}
      <table className="block" aria-rowcount={total === null ? -1 : Math.max(total, threats.length) + 1}>
        <caption className="sr-only">Threats, newest first</caption>
        <ThreatTableHead selectAll={selectAll} />
        <tbody ref={inSight.body} className="relative block" style={inSight.bodyStyle}>
          {inSight.drawn.map((index) => {
            const threat = threats[index]
            const state = threat && states.get(threat.id)
            return (
              threat && (
                <ThreatRow
                  key={threat.id}
                  threat={threat}
                  rowIndex={index + 2}
                  top={inSight.topOf(index)}
                  set={set}
                  askedActors={askedActors}
                  askedCountries={askedCountries}
                  isSelected={selected.has(threat.id)}
                  state={state}
                  isUnmatched={isUnmatched(triageFilter, state)}
                  tools={threat.id === toolsId ? triage.renderTools(threat.id, state) : null}
                  isCard={isCard}
                  isLight={index !== activeIndex && isLight(index)}
                  menuId={menuId}
                  actions={actions}
                />
              )
            )
          })}
        </tbody>
      </table>
      {menuId !== undefined && triage.renderMenu(menuId, active?.id, active && states.get(active.id))}
    </>
  )
  return triage.withStates(around, draw)
}

function idsAround(threats: readonly Threat[], first: number): string[] {
  const block = Math.floor(first / BLOCK_ROWS)
  return threats.slice(Math.max(0, block - 1) * BLOCK_ROWS, (block + 3) * BLOCK_ROWS).map(({ id }) => id)
}
