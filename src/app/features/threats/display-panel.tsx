import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { useDraft } from '#app/ui/use-draft.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { COLUMNS, type Column, DENSITIES } from '#contract/bff/arrangement.ts'
import type { ChangeSearch } from './change-search.ts'
import {
  type ChosenColumn,
  moveColumn,
  placeColumn,
  readColumns,
  resizeColumn,
  toggleColumn,
  WIDTH_REM,
  writeColumns,
} from './chosen-columns.ts'
import type { ThreatSearch } from './threat-search.ts'
import { useColumnDrag } from './use-column-drag.ts'

type DisplayPanelProps = { search: ThreatSearch; onChange: ChangeSearch }

const LABELS: Readonly<Record<Column, string>> = {
  severity: 'Severity',
  actor: 'Actor',
  victim: 'Victim',
  country: 'Country',
  category: 'Category',
  industry: 'Industry',
  published: 'Published',
}
const DENSITY_LABELS = { comfortable: 'Comfortable', compact: 'Compact' } as const
const AT_END = 'aria-disabled:cursor-not-allowed aria-disabled:opacity-40'
const OPTIONS = { replace: true, keepScroll: true } as const

export function DisplayPanel({ search: { columns, density = 'comfortable' }, onChange }: DisplayPanelProps) {
  const drag = useColumnDrag(columns, (name, at) => change(name, (before) => placeColumn(before, name, at)))
  const chosen = drag.shown
  const hidden = COLUMNS.filter((name) => !chosen.some((column) => column.name === name))
  const [changed, setChanged] = useState<Column | null>(null)

  const change = (name: Column, how: (before: readonly ChosenColumn[]) => readonly ChosenColumn[]) => {
    setChanged(name)
    // From the address as it is then: a second press may come before the first one is drawn.
    onChange((before) => ({ columns: writeColumns(how(readColumns(before.columns))) }), OPTIONS)
  }

  return (
    <div className="grid gap-3 p-3">
      <Segments
        legend="Density"
        isLabelled
        segments={DENSITIES.map((key) => ({
          key,
          label: DENSITY_LABELS[key],
          isOn: key === density,
          onPress: () => onChange({ density: key === 'compact' ? key : undefined }, OPTIONS),
        }))}
      />
      <div className="grid gap-1">
        <div aria-hidden="true" className="flex items-baseline justify-between pr-19 text-xs">
          <span className="font-medium text-muted">Columns</span>
          <span className="w-14 text-right text-faint max-sm:hidden">Width</span>
        </div>
        <ul aria-label="Columns" className="-mx-1" {...drag.listProps}>
          {[...chosen.map(({ name }) => name), ...hidden].map((name, at) => (
            // The same line, shown or hidden, so that it keeps the focus.
            <ColumnLine
              key={name}
              name={name}
              column={chosen[at]}
              isFirst={at === 0}
              isLast={at === chosen.length - 1}
              isDragged={drag.dragged === name}
              onGrab={(event) => drag.begin(name, event)}
              onChange={(how) => change(name, how)}
            />
          ))}
        </ul>
      </div>
      <Button
        variant="quiet"
        size="small"
        icon="undo"
        aria-disabled={!columns && density === 'comfortable'}
        className={`justify-self-start max-sm:h-11 ${AT_END}`}
        onClick={() => onChange({ columns: undefined, density: undefined }, OPTIONS)}
      >
        Reset
      </Button>
      <VisuallyHidden role="status">{changed && describePlace(changed, chosen)}</VisuallyHidden>
    </div>
  )
}

type ColumnLineProps = {
  name: Column
  /** Undefined while it is hidden. */
  column: ChosenColumn | undefined
  isFirst: boolean
  isLast: boolean
  isDragged: boolean
  onGrab(event: PointerEvent): void
  onChange(how: (before: readonly ChosenColumn[]) => readonly ChosenColumn[]): void
}

function ColumnLine({ name, column, isFirst, isLast, isDragged, onGrab, onChange }: ColumnLineProps) {
  const label = LABELS[name]
  const move = (step: 1 | -1) => onChange((before) => moveColumn(before, name, step))
  return (
    <li
      data-dragged={isDragged || undefined}
      className="flex items-center gap-1 rounded-md pr-1 hover:bg-hover data-dragged:bg-pressed"
    >
      <span
        // By keys and for screen readers the same is done beside it.
        aria-hidden="true"
        className={`grid w-5 place-items-center self-stretch text-faint max-sm:w-8 ${column ? 'cursor-grab touch-none select-none active:cursor-grabbing' : 'invisible'}`}
        onPointerDown={column && onGrab}
      >
        ⠿
      </span>
      <ColumnTick
        label={label}
        isShown={column !== undefined}
        isOnly={isFirst && isLast}
        onToggle={() => onChange((before) => toggleColumn(before, name))}
        onMove={move}
      />
      {column && (
        <>
          <WidthField
            label={`Width of ${label}`}
            widthRem={column.widthRem}
            onResize={(width) => onChange((before) => resizeColumn(before, name, width))}
          />
          <IconButton
            icon="chevron-down"
            label={`Move ${label} up`}
            aria-disabled={isFirst}
            className={`rotate-180 ${AT_END}`}
            onClick={() => move(-1)}
          />
          <IconButton
            icon="chevron-down"
            label={`Move ${label} down`}
            aria-disabled={isLast}
            className={AT_END}
            onClick={() => move(1)}
          />
        </>
      )}
    </li>
  )
}

type ColumnTickProps = {
  label: string
  isShown: boolean
  /** It cannot be hidden as well. */
  isOnly: boolean
  onToggle(): void
  onMove(step: 1 | -1): void
}

function ColumnTick({ label, isShown, isOnly, onToggle, onMove }: ColumnTickProps) {
  const follow = (event: KeyboardEvent) => {
    const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
    if (!step || !event.altKey) return
    event.preventDefault()
    onMove(step)
  }
  return (
    <label className="flex min-h-8 min-w-0 flex-1 items-center gap-2 max-sm:min-h-11">
      <input
        type="checkbox"
        className="size-4"
        checked={isShown}
        disabled={isOnly}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onChange={onToggle}
        onKeyDown={follow}
      />
      <span className={isShown ? '' : 'text-muted'}>{label}</span>
    </label>
  )
}

type WidthFieldProps = { label: string; widthRem: number | null; onResize(widthRem: number | null): void }

/** About as wide as most columns are by themselves: where the arrow keys begin. */
const START_REM = 10

/** Cards have no columns to resize: not for narrow windows. */
function WidthField({ label, widthRem, onResize }: WidthFieldProps) {
  const { text, change, commit } = useDraft(widthRem === null ? '' : String(widthRem), (given) => {
    const width = Math.round(Number(given))
    if (given === '') onResize(null)
    // The first digit of two is no width.
    else if (width >= WIDTH_REM.min && width <= WIDTH_REM.max) onResize(width)
  })
  return (
    <input
      type="number"
      min={WIDTH_REM.min}
      max={WIDTH_REM.max}
      aria-label={label}
      title={`${label}, ${WIDTH_REM.min} to ${WIDTH_REM.max}; empty: by itself`}
      placeholder="auto"
      className="h-6 w-14 rounded-md border border-line bg-surface px-1.5 text-right text-xs tabular-nums max-sm:hidden"
      value={text}
      onChange={(event) => change(event.target.value)}
      onBlur={() => {
        commit(text)
        change(null)
      }}
      onKeyDown={(event) => {
        const isStep = event.key === 'ArrowUp' || event.key === 'ArrowDown'
        if (text !== '' || !isStep) return
        event.preventDefault()
        change(String(START_REM))
      }}
    />
  )
}

function describePlace(name: Column, chosen: readonly ChosenColumn[]): string {
  const at = chosen.findIndex((column) => column.name === name)
  return at < 0 ? `${LABELS[name]} is hidden` : `${LABELS[name]}, ${at + 1} of ${chosen.length}`
}
