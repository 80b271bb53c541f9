import { type ReactNode, useMemo } from 'react'
import type { Arrangement } from '#contract/bff/arrangement.ts'
import { arrangeRows } from './arrange-rows.ts'
import type { RowLayout } from './row-grid.ts'

type ArrangedRowsProps = Pick<Arrangement, 'columns' | 'density'> & { children(layout: RowLayout): ReactNode }

/** The rows of a list that its reader has arranged. */
export function ArrangedRows({ columns, density, children }: ArrangedRowsProps) {
  // The same object while nothing of it changes, or every row is drawn again.
  return children(useMemo(() => arrangeRows({ columns, density }), [columns, density]))
}
