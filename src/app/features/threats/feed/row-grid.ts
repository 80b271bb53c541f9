import { type Arrangement, COLUMNS, type Column } from '#contract/bff/arrangement.ts'

export type RowCell = {
  name: Column | 'title'
  label: string
  /** Grid area of the cell in rows and in their head. */
  area: string
  /** Further texts of the column in rows. */
  look?: string | undefined
}

/** Which cells rows have, and where. It must stay the same object: rows are drawn again only when it changes. */
export type RowLayout = {
  /** After the check box, in the order of reading. */
  cells: readonly RowCell[]
  /** Makes a grid of a row; cells only name their area. */
  grid: string
  /** On the table: what the grid takes from the reader's choice. */
  style?: Record<`--${string}`, string>
  /** One line a row. */
  isCompact: boolean
  /** The same for every row, so that a list of 100,000 knows its height. It grows with the reader's text. */
  rowRem: number
  /** The same where rows are cards, which take a finger. */
  cardRem: number
}

/** The three shapes of a row, by the width there is for the list: a card, stacked columns, a column for each fact. */
export const ROW_GRID = [
  'grid gap-x-3 pr-3',
  "grid-cols-[2.75rem_auto_auto_minmax(0,1fr)_auto_auto] [grid-template-areas:'check_title_title_title_published_more'_'check_severity_category_actor_country_more']",
  "@2xl:grid-cols-[2.25rem_5.5rem_minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_10.5rem] @2xl:[grid-template-areas:'check_severity_title_actor_country_published'_'check_severity_title_victim_category_published']",
  "@5xl:grid-cols-[2.25rem_5.5rem_minmax(0,2.8fr)_minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,0.8fr)_10.5rem] @5xl:[grid-template-areas:'check_severity_title_actor_victim_country_category_published']",
].join(' ')

export const ROW_REM = 3.5

/** How rows stand where nobody has arranged them. */
export const ROW_LAYOUT: RowLayout = {
  cells: [
    { name: 'severity', label: 'Severity', area: '[grid-area:severity]' },
    { name: 'title', label: 'Threat', area: '[grid-area:title]' },
    { name: 'actor', label: 'Actor', area: '[grid-area:actor]' },
    {
      name: 'victim',
      label: 'Victim',
      area: '[grid-area:victim]',
      look: '@max-2xl:sr-only @max-5xl:text-muted',
    },
    { name: 'country', label: 'Country', area: '[grid-area:country]', look: '@max-2xl:text-right' },
    { name: 'category', label: 'Category', area: '[grid-area:category]', look: 'text-muted' },
    { name: 'published', label: 'Published', area: 'text-right [grid-area:published]' },
  ],
  grid: ROW_GRID,
  isCompact: false,
  rowRem: ROW_REM,
  cardRem: ROW_REM,
}

/** The default columns. */
export const USUAL_COLUMNS = COLUMNS.filter((column) => column !== 'industry')

/** The columns of an address in their order. */
export function readColumns(given: Arrangement['columns']): readonly Column[] {
  return given ?? USUAL_COLUMNS
}
