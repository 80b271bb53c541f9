import { type KeyboardEvent, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { COLUMNS, type Column, DENSITIES } from '#contract/bff/arrangement.ts'
import type { ChangeSearch } from '../address/change-search.ts'
import type { ThreatSearch } from '../address/threat-search.ts'
import { moveColumn, readColumns, toggleColumn, writeColumns } from './chosen-columns.ts'

type ColumnChange = (before: readonly Column[]) => readonly Column[]
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
  const chosen = readColumns(columns)
  const hidden = COLUMNS.filter((name) => !chosen.includes(name))
  const [changed, setChanged] = useState<Column | null>(null)

  const change = (name: Column, how: ColumnChange) => {
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
        <span aria-hidden="true" className="font-medium text-muted text-xs">
          Columns
        </span>
        <ul aria-label="Columns" className="-mx-1">
          {[...chosen, ...hidden].map((name, at) => (
            // The same line, shown or hidden, so that it keeps the focus.
            <ColumnLine
              key={name}
              name={name}
              isShown={at < chosen.length}
              isFirst={at === 0}
              isLast={at === chosen.length - 1}
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
  isShown: boolean
  isFirst: boolean
  isLast: boolean
  onChange(how: ColumnChange): void
}

function ColumnLine({ name, isShown, isFirst, isLast, onChange }: ColumnLineProps) {
  const label = LABELS[name]
  const move = (step: 1 | -1) => onChange((before) => moveColumn(before, name, step))
  return (
    <li className="flex items-center gap-1 rounded-md px-1 hover:bg-hover">
      <ColumnTick
        label={label}
        isShown={isShown}
        isOnly={isFirst && isLast}
        onToggle={() => onChange((before) => toggleColumn(before, name))}
        onMove={move}
      />
      {isShown && (
        <>
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

function describePlace(name: Column, chosen: readonly Column[]): string {
  const at = chosen.indexOf(name)
  return at < 0 ? `${LABELS[name]} is hidden` : `${LABELS[name]}, ${at + 1} of ${chosen.length}`
}
