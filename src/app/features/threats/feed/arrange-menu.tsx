import { type KeyboardEvent, useState } from 'react'
import { rowsParam } from '#app/format/counted-rows.ts'
import { Button, IconButton } from '#app/ui/button.tsx'
import { SelectField } from '#app/ui/field.tsx'
import { Popover } from '#app/ui/popover.tsx'
import { RowKindChoice } from '#app/ui/row-kind-choice.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import {
  type Arrangement,
  COLUMNS,
  type Column,
  DENSITIES,
  GROUP_ORDERS,
  GROUPINGS,
  type Grouping,
  type GroupOrder,
  groupingSchema,
  groupOrderSchema,
  isNewestFirst,
  type Order,
  orderOf,
  orderSchema,
  SORTS,
  type Sort,
  sortSchema,
} from '#contract/bff/arrangement.ts'
import type { ChangeSearch, ThreatSearch } from '../address/threat-search.ts'
import { readColumns, USUAL_COLUMNS } from './row-grid.ts'

type ArrangeMenuProps = { search: ThreatSearch; onChange: ChangeSearch }

/** How the list stands, in words, and all that it can be sorted and grouped by: also where its columns have no heads. */
export function ArrangeMenu({ search, onChange }: ArrangeMenuProps) {
  const { sort = 'published', group, groupOrder = 'value' } = search
  const order = orderOf(search)
  const words = ORDER_LABELS[sort]
  const sorted = sort === 'published' ? words[order] : `${SORT_LABELS[sort]} ${order === 'asc' ? '↑' : '↓'}`
  const grouped = group && `${GROUP_LABELS[group]}${groupOrder === 'size' ? ', largest first' : ''}`
  const summary = grouped ? `${grouped} · ${sorted}` : sorted
  const isUsual = isNewestFirst(search)
  return (
    <Popover
      label="Sort and group"
      align="end"
      className="w-60"
      renderTrigger={(props) => (
        <Button
          aria-label={`Sort and group: ${summary}`}
          className={`min-w-0 max-w-64 shrink! max-sm:size-11 ${isUsual ? '' : 'text-accent!'}`}
          {...props}
        >
          <span aria-hidden="true">⇅</span>
          <span className="max-sm:sr-only min-w-0 truncate">{isUsual ? 'Sort' : summary}</span>
        </Button>
      )}
    >
      <div className="grid gap-3 p-3">
        <SelectField
          label="Sort by"
          value={sort}
          onChange={({ target }) => {
            const by = sortSchema.parse(target.value)
            onChange({ sort: by === 'published' ? undefined : by, order: undefined })
          }}
        >
          {SORTS.map((each) => (
            <option key={each} value={each}>
              {SORT_LABELS[each]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Order"
          value={order}
          onChange={({ target }) => {
            const turned = orderSchema.parse(target.value)
            onChange({ order: turned === orderOf({ sort }) ? undefined : turned })
          }}
        >
          <option value="desc">{words.desc}</option>
          <option value="asc">{words.asc}</option>
        </SelectField>
        <SelectField
          label="Group by"
          value={group ?? ''}
          onChange={({ target }) => {
            const by = target.value === '' ? undefined : groupingSchema.parse(target.value)
            onChange({ group: by, ...(!by && { groupOrder: undefined }) })
          }}
        >
          <option value="">No groups</option>
          {GROUPINGS.map((each) => (
            <option key={each} value={each}>
              {GROUP_LABELS[each]}
            </option>
          ))}
        </SelectField>
        {group && (
          <SelectField
            label="Group order"
            value={groupOrder}
            onChange={({ target }) => {
              const by = groupOrderSchema.parse(target.value)
              onChange({ groupOrder: by === 'value' ? undefined : by })
            }}
          >
            {GROUP_ORDERS.map((each) => (
              <option key={each} value={each}>
                {GROUP_ORDER_LABELS[group][each]}
              </option>
            ))}
          </SelectField>
        )}
      </div>
    </Popover>
  )
}

const LARGEST = 'Largest first'

const SORT_LABELS: Readonly<Record<Sort, string>> = {
  published: 'Published',
  severity: 'Severity',
  actor: 'Actor',
  victim: 'Victim',
  country: 'Country',
  activity: 'Team activity',
  due: 'Due time',
}

const GROUP_LABELS: Readonly<Record<Grouping, string>> = {
  day: 'Day',
  actor: 'Actor',
  victim: 'Victim',
  country: 'Country',
  category: 'Category',
  severity: 'Severity',
}

/** Labels for groups ordered by their value and by their size. */
const GROUP_ORDER_LABELS: Readonly<Record<Grouping, Readonly<Record<GroupOrder, string>>>> = {
  day: { value: 'Newest first', size: LARGEST },
  actor: { value: 'A to Z', size: LARGEST },
  victim: { value: 'A to Z', size: LARGEST },
  country: { value: 'A to Z', size: LARGEST },
  category: { value: 'A to Z', size: LARGEST },
  severity: { value: 'Most severe first', size: LARGEST },
}

const BY_NAME = { asc: 'A to Z', desc: 'Z to A' } as const
const ORDER_LABELS: Readonly<Record<Sort, Readonly<Record<Order, string>>>> = {
  published: { desc: 'Newest first', asc: 'Oldest first' },
  severity: { desc: 'Most severe first', asc: 'Least severe first' },
  actor: BY_NAME,
  victim: BY_NAME,
  country: BY_NAME,
  activity: { desc: 'Latest first', asc: 'Earliest first' },
  due: { asc: 'Due first', desc: 'Due last' },
}

type DisplayButtonProps = { search: ThreatSearch; onChange: ChangeSearch }

/** Rows and columns of a list: which it has, in which order, and how high they are. */
export function DisplayButton({ search, onChange }: DisplayButtonProps) {
  return (
    <Popover
      label="Display"
      align="end"
      className="w-80"
      // Loads the panel's script before the first choice needs it.
      onToggle={() => import('./arranged-rows.tsx')}
      renderTrigger={(props) => (
        <Button variant="quiet" icon="settings" className="max-sm:h-11" {...props}>
          <span className="max-sm:sr-only">Display</span>
        </Button>
      )}
    >
      <DisplayPanel search={search} onChange={onChange} />
    </Popover>
  )
}

type ColumnChange = (before: readonly Column[]) => readonly Column[]
type DisplayPanelProps = { search: ThreatSearch; onChange: ChangeSearch }

const COLUMN_LABELS: Readonly<Record<Column, string>> = {
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

function DisplayPanel({ search, onChange }: DisplayPanelProps) {
  const { columns, density = 'comfortable', rows = 'cases' } = search
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
      <RowKindChoice
        legend="Rows"
        isLabelled
        rows={rows}
        onChoose={(key) => onChange({ rows: rowsParam(key), selected: undefined })}
      />
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
        aria-disabled={!columns && density === 'comfortable' && rows === 'cases'}
        className={`justify-self-start max-sm:h-11 ${AT_END}`}
        onClick={() => onChange({ columns: undefined, density: undefined, rows: undefined }, OPTIONS)}
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
  const label = COLUMN_LABELS[name]
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
  return at < 0 ? `${COLUMN_LABELS[name]} is hidden` : `${COLUMN_LABELS[name]}, ${at + 1} of ${chosen.length}`
}

/** Returns the columns for an address: undefined for the default ones. */
function writeColumns(chosen: readonly Column[]): Arrangement['columns'] {
  return chosen.join() === USUAL_COLUMNS.join() ? undefined : [...chosen]
}

/** Shows a column at its usual place, or hides it. One stays: rows of titles alone are no list. */
function toggleColumn(chosen: readonly Column[], name: Column): readonly Column[] {
  const others = chosen.filter((column) => column !== name)
  if (others.length < chosen.length) return others.length > 0 ? others : chosen
  const next = chosen.findIndex((column) => COLUMNS.indexOf(column) > COLUMNS.indexOf(name))
  return chosen.toSpliced(next < 0 ? chosen.length : next, 0, name)
}

/** Changes places with the column before it, or after it. */
function moveColumn(chosen: readonly Column[], name: Column, step: 1 | -1): readonly Column[] {
  const at = chosen.indexOf(name)
  const other = chosen[at + step]
  return at >= 0 && other ? chosen.with(at, other).with(at + step, name) : chosen
}
