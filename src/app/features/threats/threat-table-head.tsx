import type { ReactNode } from 'react'
import { ROW_GRID } from './row-grid.ts'

const COLUMNS = [
  { label: 'Severity', className: '[grid-area:severity]' },
  { label: 'Threat', className: '[grid-area:title]' },
  { label: 'Actor', className: '[grid-area:actor]' },
  { label: 'Victim', className: '[grid-area:victim]' },
  { label: 'Country', className: '[grid-area:country]' },
  { label: 'Category', className: '[grid-area:category]' },
  { label: 'Published', className: 'text-right [grid-area:when]' },
] as const

/** Names the columns where each fact has one of its own; there it stays in sight below the status line. */
export function ThreatTableHead({ selectAll }: { selectAll: ReactNode }) {
  return (
    <thead className="@5xl:sticky relative @5xl:top-[5.75rem] z-5 block bg-surface">
      <tr
        aria-rowindex={1}
        className={`${ROW_GRID} h-8 items-center border-line border-b text-left text-faint text-xs *:font-medium`}
      >
        <th scope="col" className="@max-5xl:[grid-area:1/1/-1/-1] @5xl:[grid-area:check]">
          {selectAll}
        </th>
        {COLUMNS.map(({ label, className }) => (
          <th key={label} scope="col" className={`@max-5xl:sr-only ${className}`}>
            {label}
          </th>
        ))}
      </tr>
    </thead>
  )
}
