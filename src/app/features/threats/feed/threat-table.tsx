import { useQuery } from '@tanstack/react-query'
import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal, flushSync } from 'react-dom'
import type { TriageCommand } from '#app/features/triage/triage-command.ts'
import { triageStatesOptions } from '#app/features/triage/triage-options.ts'
import { useTriage } from '#app/features/triage/triage-provider.tsx'
import { useDebouncedValue } from '#app/ui/use-debounced-value.ts'
import { useLightRows, useWindowRows } from '#app/ui/use-window-rows.ts'
import { lazyWhenIdle } from '#app/ui/when-idle.ts'
import { isNewestFirst, type ListOrder, orderOf, SORTS, type Sort } from '#contract/bff/arrangement.ts'
import type { Threat } from '#contract/bff/threat.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { TriageState } from '#contract/bff/triage-state.ts'
import { useFeedKeys } from './feed-keys.ts'
import type { FeedLine, Grouped, GroupHead } from './grouped-rows.tsx'
import type { FeedReturn } from './list-position.tsx'
import type { RowLayout } from './row-grid.ts'
import { type Selection, usePressedSelection } from './selection.ts'
import { focusThreatRow, isUnmatched, ThreatRow, type ThreatRowActions } from './threat-row.tsx'

// Not on the way to the first page.
const KeepRowPosition = lazyWhenIdle(async () => (await import('./keep-row-position.tsx')).KeepRowPosition)
const UnmatchedNote = lazy(async () => ({
  default: (await import('./list-notes.tsx')).UnmatchedNote,
}))
const TriageButtons = lazy(async () => ({
  default: (await import('#app/features/triage/triage-buttons.tsx')).TriageButtons,
}))
const TriageMenu = lazy(async () => ({
  default: (await import('#app/features/triage/list-triage.tsx')).TriageMenu,
}))
const RowActs = lazy(async () => ({
  default: (await import('#app/features/triage/list-triage.tsx')).RowActs,
}))

type ThreatTableProps = {
  threats: readonly Threat[]
  /** Heads of groups between the threats. */
  grouped?: Grouped | undefined
  /** Null where unknown. */
  total: number | null
  /** The search that the rows answer. */
  filter: ThreatFilter
  layout: RowLayout
  order: ListOrder
  onSort(sort: Sort): void
  selection: Selection
  feedReturn: FeedReturn
  /** Element for the note that rows match no longer; null before it exists. */
  noteTarget: Element | null
  onReload(): void
  /** Fetches an older page; undefined where there is none, or something speaks against it. */
  goOn: (() => void) | undefined
}

const NEAR_END_ROWS = 15
/** Height of sticky parts at the top of the viewport. They must not cover the focused row. */
const STICKY_PX = 128
/** Number of rows around those in sight that share one request for the team's states. */
const BLOCK_ROWS = 50
const REST_MS = 150
/** 46 rem are the 42 rem of the list and the frame around it. */
const CARDS = '(width < 46rem)'

/** Draws only the rows in sight, at the page's own scrolling. */
export function ThreatTable({
  threats,
  grouped,
  total,
  filter,
  layout,
  order,
  onSort,
  selection: given,
  feedReturn,
  noteTarget,
  onReload,
  goOn,
}: ThreatTableProps) {
  const selection = usePressedSelection(given)
  const { isAllowed, start, undo } = useTriage()
  const [activeId, setActiveId] = useState(feedReturn.leftId)
  const [pointedId, setPointedId] = useState<string | null>(null)
  const isCard = useIsCard()
  const rowRem = isCard ? layout.cardRem : layout.rowRem
  const ownMenuId = useId()
  const menuId = isAllowed && isCard ? ownMenuId : undefined
  const lines: readonly FeedLine[] = grouped?.lines ?? threats
  const activeIndex = activeId === null ? -1 : lines.findIndex(({ id }) => id === activeId)

  const inSight = useWindowRows({
    count: lines.length,
    rowRem,
    coveredPx: STICKY_PX,
    pinned: activeIndex,
  })
  const isLight = useLightRows(inSight)
  const around = idsAround(lines, inSight.first)
  const states = useStates(around)

  const isAtEdge = goOn !== undefined && inSight.end > lines.length - NEAR_END_ROWS
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
  const { actor, country, triage: triageFilter } = filter
  // Kept while nothing of it changes: rows are drawn again only when a prop changes.
  const list = useMemo(
    () => ({ filter: { actor, country, triage: triageFilter }, layout, isCard, menuId, actions }),
    [actor, country, triageFilter, layout, isCard, menuId, actions],
  )

  const move = (step: 1 | -1) => {
    // After the wheel has carried the row away, the keys go on from where the reader looks.
    let index = inSight.hasWhole(activeIndex) ? activeIndex + step : inSight.firstWhole()
    while (isGroupHead(lines[index])) index += step
    const threat = lines[index]
    if (!threat) return
    // The row must be there before it can take the focus.
    flushSync(() => setActiveId(threat.id))
    inSight.scrollToRow(index)
    focusThreatRow(threat.id, { preventScroll: true })
  }
  const atFocus = lines[activeIndex]
  const active = isGroupHead(atFocus) ? undefined : atFocus
  const meant = selection.ids.size > 0 ? [...selection.ids] : active ? [active.id] : []
  const command = (name: TriageCommand) => (meant.length > 0 ? () => start(name, meant) : undefined)
  useFeedKeys({
    next: () => move(1),
    previous: () => move(-1),
    select: active && (() => selection.toggle(active.id)),
    selectThrough: active && (() => selection.toggleThrough(active.id)),
    read: command('read'),
    take: command('take'),
    assign: command('assign'),
    star: command('star'),
    close: command('close'),
    note: command('note'),
    undo: isAllowed ? undo : undefined,
  })

  const unmatched = around.filter((id) => isUnmatched(triageFilter, states.get(id))).length
  const rowCount = grouped ? grouped.lineCount : total
  const toolsId = isAllowed && !isCard ? (pointedId ?? activeId) : null
  return (
    <>
      <Suspense>
        <KeepRowPosition threats={threats} lines={lines} {...inSight} />
        {noteTarget &&
          unmatched > 0 &&
          createPortal(
            <UnmatchedNote
              unmatched={unmatched}
              isWhole={around.length === threats.length}
              onReload={onReload}
            />,
            noteTarget,
          )}
      </Suspense>
      <table
        className="block"
        style={layout.style}
        aria-rowcount={rowCount === null ? -1 : Math.max(rowCount, lines.length) + 1}
      >
        <caption className="sr-only">Threats{isNewestFirst(order) && ', newest first'}</caption>
        <ThreatTableHead
          threats={threats}
          selection={selection}
          layout={layout}
          order={order}
          onSort={onSort}
        />
        <tbody
          ref={inSight.body}
          className="relative block print:h-auto! print:pt-0!"
          style={inSight.bodyStyle}
        >
          {inSight.drawn.map((index) => {
            const threat = lines[index]
            if (!threat) return null
            const { id } = threat
            const top = inSight.topOf(index)
            if (isGroupHead(threat)) {
              const afar = top === null ? null : ({ position: 'absolute', insetInline: 0, top } as const)
              const style = { height: `${rowRem}rem`, ...afar }
              return grouped?.renderHead(threat, {
                rowIndex: index + 2,
                style,
                onFocus: () => setActiveId(id),
              })
            }
            const state = states.get(id)
            return (
              <ThreatRow
                key={id}
                threat={threat}
                rowIndex={index + 2}
                top={top}
                isSelected={selection.ids.has(id)}
                state={state}
                tools={
                  id === toolsId && (
                    <Suspense>
                      <TriageButtons state={state} onCommand={(name) => start(name, [id])} />
                    </Suspense>
                  )
                }
                isLight={index !== activeIndex && isLight(index)}
                list={list}
              />
            )
          })}
        </tbody>
      </table>
      <Suspense>
        {active && (
          <RowActs
            threat={active}
            state={states.get(active.id)}
            isSelected={selection.ids.has(active.id)}
            onSelect={() => selection.toggle(active.id)}
            onCommand={isAllowed && selection.ids.size === 0 ? (name) => start(name, [active.id]) : undefined}
          />
        )}
      </Suspense>
      <Suspense>
        {menuId !== undefined && (
          <TriageMenu
            id={menuId}
            state={active && states.get(active.id)}
            onCommand={(name) => active && start(name, [active.id])}
          />
        )}
      </Suspense>
    </>
  )
}

function idsAround(lines: readonly FeedLine[], first: number): string[] {
  const block = Math.floor(first / BLOCK_ROWS)
  const around = lines.slice(Math.max(0, block - 1) * BLOCK_ROWS, (block + 3) * BLOCK_ROWS)
  return around.flatMap((line) => (isGroupHead(line) ? [] : line.id))
}

/** The team's marks by id. The map is empty until they are known. They are requested when the scrolling pauses, because rows that only pass by need none. */
function useStates(ids: readonly string[]): ReadonlyMap<string, TriageState> {
  // No id has a NUL in it.
  const key = useDebouncedValue(ids.join('\0'), REST_MS)
  const { data } = useQuery(triageStatesOptions(key === '' ? [] : key.split('\0')))
  return new Map(data?.states.map((state) => [state.id, state]))
}

/** True where the styles draw rows as cards. A media query, because reading the width would lay out the page. */
function useIsCard(): boolean {
  const [isCard, setIsCard] = useState(() => matchMedia(CARDS).matches)
  useEffect(() => {
    const cards = matchMedia(CARDS)
    const update = () => setIsCard(cards.matches)
    cards.addEventListener('change', update)
    return () => cards.removeEventListener('change', update)
  }, [])
  return isCard
}

type SelectLoadedProps = {
  threats: readonly Threat[]
  selection: Selection
}

type ThreatTableHeadProps = SelectLoadedProps & {
  layout: RowLayout
  order: ListOrder
  onSort(sort: Sort): void
}

/** Names the columns where each fact has one of its own, and sorts by them; there it stays in sight below the status line. */
function ThreatTableHead({ layout, order, onSort, ...select }: ThreatTableHeadProps) {
  const direction = orderOf(order) === 'asc' ? 'ascending' : 'descending'
  return (
    <thead className="@5xl:sticky relative @5xl:top-[5.75rem] z-5 block bg-surface">
      <tr
        aria-rowindex={1}
        className={`${layout.grid} h-8 max-sm:h-11 items-center border-line border-b text-left text-faint text-xs *:font-medium`}
      >
        <th scope="col" className="@max-5xl:[grid-area:1/1/-1/-1] @5xl:[grid-area:check]">
          <SelectLoaded {...select} />
        </th>
        {layout.cells.map(({ name, label, area }) => {
          const sort = SORTS.find((each) => each === name)
          const sorted = sort && sort === (order.sort ?? 'published') ? direction : undefined
          return (
            <th key={name} scope="col" aria-sort={sorted} className={`@max-5xl:sr-only ${area}`}>
              {sort && (
                <button
                  type="button"
                  className={`@max-5xl:hidden h-8 rounded-sm hover:text-ink ${sorted ? 'text-ink' : ''}`}
                  onClick={() => onSort(sort)}
                >
                  {label}
                  {sorted && <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : ' ↓'}</span>}
                </button>
              )}
              <span className={sort && '@5xl:hidden'}>{label}</span>
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

/** Ticks every loaded row at once, or as many as fit. In words where the columns have no heads. */
function SelectLoaded({ threats, selection: { ids, toggleLoaded } }: SelectLoadedProps) {
  const isSelected = ({ id }: Threat) => ids.has(id)
  const isAny = ids.size > 0 && threats.some(isSelected)
  const isAll = isAny && threats.every(isSelected)
  return (
    <label className="flex h-8 items-center max-sm:h-11">
      <input
        type="checkbox"
        className="mx-2.5"
        checked={isAll}
        ref={(input) => {
          if (input) input.indeterminate = isAny && !isAll
        }}
        onChange={toggleLoaded}
      />
      <span className="@5xl:sr-only">Select all on this page</span>
    </label>
  )
}

export function isGroupHead(line: FeedLine | undefined): line is GroupHead {
  return line !== undefined && 'isClosed' in line
}
