import { useQuery } from '@tanstack/react-query'
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { createPortal, flushSync } from 'react-dom'
import { triageStatesOptions } from '#app/features/triage/triage-options.ts'
import { count } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { rootFontPx } from '#app/ui/root-font-px.ts'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { useLightRows } from '#app/ui/use-light-rows.ts'
import { useWindowRows } from '#app/ui/use-window-rows.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import type { FeedCommand, FeedTriage } from './feed-triage.ts'
import { isUnmatched } from './is-unmatched.ts'
import type { FeedReturn } from './list-position.tsx'
import { ROW_REM } from './row-grid.ts'
import type { Selection } from './selection.ts'
import { focusThreatRow, ThreatRow, type ThreatRowActions } from './threat-row.tsx'
import { ThreatTableHead } from './threat-table-head.tsx'
import { useFeedKeys } from './use-feed-keys.ts'

type ThreatTableProps = {
  threats: readonly Threat[]
  /** Null where unknown. */
  total: number | null
  /** What the rows were asked for. */
  filter: ThreatFilter
  selection: Selection
  feedReturn: FeedReturn
  triage: FeedTriage
  /** Where it says that rows match no longer; null before that is there. */
  newsSlot: Element | null
  onReload(): void
  /** Fetches an older page; undefined where there is none, or something speaks against it. */
  goOn: (() => void) | undefined
}

const NEAR_END_ROWS = 15
/** What sticks to the top of the viewport must not cover the row that has the focus. */
const STICKY_PX = 128
/** So many rows around those in sight share one request for what the team has done with them. */
const BLOCK_ROWS = 50
const REST_MS = 150
/** The width of the viewport at which the list has 42 rem, and the frame around it. */
const CARDS_BELOW_REM = 46

/** Draws only the rows in sight, at the page's own scrolling. */
export function ThreatTable({
  threats,
  total,
  filter,
  selection,
  feedReturn,
  triage,
  newsSlot,
  onReload,
  goOn,
}: ThreatTableProps) {
  const [activeId, setActiveId] = useState(feedReturn.leftId)
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
  const around = idsAround(threats, inSight.first)
  const states = useStates(around)

  const isAtEdge = goOn !== undefined && inSight.end > threats.length - NEAR_END_ROWS
  const fetchMore = useEffectEvent(() => goOn?.())
  useEffect(() => {
    if (isAtEdge) fetchMore()
  }, [isAtEdge])

  const latest = useRef({ selection, feedReturn })
  useLayoutEffect(() => {
    latest.current = { selection, feedReturn }
  })
  const [actions] = useState<ThreatRowActions>(() => ({
    focus: setActiveId,
    point: setPointedId,
    select: (id) => latest.current.selection.toggle(id),
    selectThrough: (id) => latest.current.selection.toggleThrough(id),
    open: (id) => latest.current.feedReturn.leaveBy(id),
  }))
  const { set, actor, country, triage: triageFilter } = filter
  // Kept while nothing of it changes: rows are drawn again only when a prop changes.
  const list = useMemo(
    () => ({ filter: { set, actor, country, triage: triageFilter }, isCard, menuId, actions }),
    [set, actor, country, triageFilter, isCard, menuId, actions],
  )

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
  const meant = selection.ids.size > 0 ? [...selection.ids] : active ? [active.id] : []
  const command = (name: FeedCommand) =>
    triage.isAllowed && meant.length > 0 ? () => triage.onCommand(name, meant) : undefined
  useFeedKeys({
    next: () => move(1),
    previous: () => move(-1),
    select: active && (() => selection.toggle(active.id)),
    selectThrough: active && (() => selection.toggleThrough(active.id)),
    read: command('read'),
    star: command('star'),
    dismiss: command('dismiss'),
    note: command('note'),
    undo: triage.isAllowed ? triage.onUndo : undefined,
  })

  const toolsId = triage.isAllowed && !isCard ? (pointedId ?? activeId) : null
  return (
    <>
      {newsSlot &&
        createPortal(
          <UnmatchedNote
            unmatched={around.filter((id) => isUnmatched(triageFilter, states.get(id))).length}
            isWhole={around.length === threats.length}
            onReload={onReload}
          />,
          newsSlot,
        )}
      <table className="block" aria-rowcount={total === null ? -1 : Math.max(total, threats.length) + 1}>
        <caption className="sr-only">Threats, newest first</caption>
        <ThreatTableHead threats={threats} selection={selection} />
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
                  isSelected={selection.ids.has(threat.id)}
                  state={state}
                  tools={threat.id === toolsId ? triage.renderTools(threat.id, state) : null}
                  isLight={index !== activeIndex && isLight(index)}
                  list={list}
                />
              )
            )
          })}
        </tbody>
      </table>
      {menuId !== undefined && triage.renderMenu(menuId, active?.id, active && states.get(active.id))}
    </>
  )
}

function idsAround(threats: readonly Threat[], first: number): string[] {
  const block = Math.floor(first / BLOCK_ROWS)
  return threats.slice(Math.max(0, block - 1) * BLOCK_ROWS, (block + 3) * BLOCK_ROWS).map(({ id }) => id)
}

/** What the team has done, by id; empty until it is known. Asked when the scrolling rests: rows that only pass by need no marks. */
function useStates(ids: readonly string[]): ReadonlyMap<string, TriageState> {
  const key = useDebouncedValue(ids.join(' '), REST_MS)
  const { data } = useQuery(triageStatesOptions(key === '' ? [] : key.split(' ')))
  return new Map(data?.states.map((state) => [state.id, state]))
}

type UnmatchedNoteProps = {
  unmatched: number
  /** False when rows far from those in sight may be more of them. */
  isWhole: boolean
  onReload(): void
}

/** Rows stay where they are while a reader works on them; this drops those that the filter would not find any more. */
function UnmatchedNote({ unmatched, isWhole, onReload }: UnmatchedNoteProps) {
  if (unmatched === 0) return null
  return (
    <Button size="small" icon="refresh" title="Reload the list without them" onClick={onReload}>
      {count(unmatched)}
      {!isWhole && '+'} no longer {unmatched === 1 && isWhole ? 'matches' : 'match'}
    </Button>
  )
}

/** Whether rows are cards, as the styles have it: asked once for all rows. */
function useIsCard(): boolean {
  const [belowPx] = useState(() => CARDS_BELOW_REM * rootFontPx())
  return useSyncExternalStore(onResize, () => innerWidth < belowPx)
}

function onResize(tell: () => void): () => void {
  addEventListener('resize', tell)
  return () => removeEventListener('resize', tell)
}
