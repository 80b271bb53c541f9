import { type ReactNode, useMemo } from 'react'
import type { Arrangement, Column } from '#contract/bff/arrangement.ts'
import { ROW_LAYOUT, ROW_REM, type RowCell, type RowLayout, readColumns } from './row-grid.ts'

type ArrangedRowsProps = {
  columns: Arrangement['columns']
  density: Arrangement['density']
  children(layout: RowLayout): ReactNode
}

/** The rows of a list that its reader has arranged. */
export function ArrangedRows({ columns, density, children }: ArrangedRowsProps) {
  // The same object while nothing of it changes, or every row is drawn again.
  return children(useMemo(() => arrangeRows(columns, density), [columns, density]))
}

const GRID =
  'grid gap-x-3 pr-3 [grid-template:var(--card)] @2xl:[grid-template:var(--stack)] @5xl:[grid-template:var(--line)]'
/** A mouse needs less than a finger, which gets 44 px. */
const COMPACT = { rowRem: 2.25, cardRem: 2.75, heights: '[--row:2.75rem] @2xl:[--row:2.25rem]' } as const
/** Number of columns that fit below the title of a card, and into one line of stacked columns beside it. */
const CARD_COLUMNS = 4
const LINE_COLUMNS = 3

const INDUSTRY: RowCell = { name: 'industry', label: 'Industry', area: '[grid-area:industry]' }
const TITLE: RowCell = { name: 'title', label: 'Threat', area: '[grid-area:title]' }
const TITLE_TRACK = 'minmax(25%,2.8fr)'
/** Least first, so that all columns together fit into 42 rem. */
const TRACKS: Readonly<Partial<Record<Column, string>>> = {
  severity: 'minmax(3rem,5.5rem)',
  victim: 'minmax(3rem,1.2fr)',
  category: 'minmax(3rem,0.8fr)',
}
const TRACK = 'minmax(3rem,1fr)'
/** Short words, or a flag: the other columns of a card share what they leave. */
const IS_SHORT: ReadonlySet<Column> = new Set(['severity', 'country', 'category'])

/** Returns the positions of cells for chosen columns. */
function arrangeRows(columns: Arrangement['columns'], density: Arrangement['density']): RowLayout {
  const isCompact = density === 'compact'
  if (!columns && !isCompact) return ROW_LAYOUT
  const names = readColumns(columns)
  const inCard = isCompact ? compactCardOf(names) : cardOf(names)
  // Without a choice there is as much as there is room for.
  const inStack = columns ? names : names.filter((name) => name !== 'victim' && name !== 'category')
  const cells = names.map((name) =>
    cellOf(
      name,
      [
        !inStack.includes(name) && '@max-5xl:sr-only',
        !inCard.includes(name) && '@max-2xl:sr-only',
        name === 'category' && 'text-muted',
      ],
      name === names.at(-1),
    ),
  )
  // How grave it is may stand before what it is, as it does where nobody has chosen: in a narrow column, at the edge.
  const titleAt = names[0] === 'severity' ? 1 : 0

  const isStack = !isCompact && names.length > LINE_COLUMNS
  return {
    cells: cells.toSpliced(titleAt, 0, TITLE),
    grid: isCompact ? `${GRID} ${COMPACT.heights}` : GRID,
    style: {
      '--card': cardTemplate(inCard, isCompact),
      '--stack': lineTemplate(
        // Cells before the title span both lines.
        isStack
          ? [...inStack.slice(0, titleAt).map(alone), ...pairUp(inStack.slice(titleAt))]
          : inStack.map(alone),
        { titleAt, isCompact },
      ),
      '--line': lineTemplate(names.map(alone), { titleAt, isCompact }),
    },
    isCompact,
    rowRem: isCompact ? COMPACT.rowRem : ROW_REM,
    cardRem: isCompact ? COMPACT.cardRem : ROW_REM,
  }
}

function cellOf(name: Column, looks: readonly (string | false)[], isLast: boolean): RowCell {
  const cell = ROW_LAYOUT.cells.find((each) => each.name === name) ?? INDUSTRY
  const look = looks.filter((each) => each !== false).join(' ')
  // Numbers stand at the edge of a table, not in the middle of it.
  if (name === 'published' && !isLast) {
    return { ...cell, area: '[grid-area:published]', look: `${look} @max-2xl:text-right` }
  }
  return { ...cell, look }
}

/** The columns of the upper and the lower line. A column that spans both is in both. */
type Pair = readonly [above: Column, below: Column]

/** Two columns above each other, in the order of reading. The date has two lines of its own. */
function pairUp(names: readonly Column[]): Pair[] {
  const pairs: Pair[] = []
  let open: Column | null = null
  for (const column of names) {
    if (column === 'published') pairs.push([column, column])
    else if (open) {
      pairs[pairs.findIndex(([above]) => above === open)] = [open, column]
      open = null
    } else {
      pairs.push([column, column])
      open = column
    }
  }
  return pairs
}

function alone(column: Column): Pair {
  return [column, column]
}

type LineOptions = { titleAt: number; isCompact: boolean }

function lineTemplate(pairs: readonly Pair[], { titleAt, isCompact }: LineOptions): string {
  const line = (columns: readonly RowCell['name'][]) => ['check', ...columns.toSpliced(titleAt, 0, 'title')]
  const above = line(pairs.map(([column]) => column))
  const below = line(pairs.map(([, column]) => column))
  const tracks = pairs.map((pair) => trackOf(pair, isCompact)).toSpliced(titleAt, 0, TITLE_TRACK)
  return templateOf(pairs.every(([one, other]) => one === other) ? [above] : [above, below], [
    '2.25rem',
    ...tracks,
  ])
}

function trackOf([above, below]: Pair, isCompact: boolean): string {
  if (above === 'published') return `minmax(3rem,${isCompact ? 7 : 10.5}rem)`
  return (above === below && TRACKS[above]) || TRACK
}

/** The date beside the title, and below it as much as there is room for. */
function cardOf(names: readonly Column[]): Column[] {
  const facts = names.filter((name) => name !== 'published').slice(0, CARD_COLUMNS)
  return names.includes('published') ? [...facts, 'published'] : facts
}

/** One line on a phone has room for how grave and how old it is, or else for one thing. */
function compactCardOf(names: readonly Column[]): Column[] {
  const marks = names.filter((name) => name === 'severity' || name === 'published')
  return marks.length > 0 ? marks : names.slice(0, 1)
}

function cardTemplate(inCard: readonly Column[], isCompact: boolean): string {
  const date = inCard.filter((name) => name === 'published')
  const facts = inCard.filter((name) => name !== 'published')
  if (isCompact || facts.length === 0) {
    const before = facts.filter((name) => name === 'severity')
    const after = facts.filter((name) => name !== 'severity')
    // The severity keeps its shape only.
    const tracks = [
      '2.75rem',
      ...before.map(() => '0.75rem'),
      'minmax(0,1fr)',
      ...after.map(() => 'fit-content(40%)'),
    ]
    return templateOf(
      [['check', ...before, 'title', ...after, ...date, 'more']],
      [...tracks, ...date.map(() => 'auto'), 'auto'],
    )
  }
  const isAnyLong = facts.some((name) => !IS_SHORT.has(name))
  const tracks = facts.map((name, index) =>
    (isAnyLong ? !IS_SHORT.has(name) : index === facts.length - 1) ? 'minmax(0,1fr)' : 'fit-content(7rem)',
  )
  const last = facts.slice(-1)
  return templateOf(
    [
      ['check', ...facts.map(() => 'title'), ...date, 'more'],
      ['check', ...facts, ...date.flatMap(() => last), 'more'],
    ],
    ['2.75rem', ...tracks, ...date.map(() => 'auto'), 'auto'],
  )
}

function templateOf(lines: readonly (readonly string[])[], tracks: readonly string[]): string {
  return `${lines.map((areas) => `"${areas.join(' ')}"`).join(' ')} / ${tracks.join(' ')}`
}
