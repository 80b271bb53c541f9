import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { ROW_GRID } from './row-grid.ts'

/** Seen only where each fact has a column of its own; stays in sight below the status line. */
export function ThreatTableHead() {
  return (
    <thead className="@max-5xl:sr-only sticky top-[5.75rem] z-5 block bg-surface">
      <tr
        aria-rowindex={1}
        className={`${ROW_GRID} h-8 items-center border-line border-b text-left text-faint text-xs *:font-medium`}
      >
        <th scope="col" className="[grid-area:check]">
          <VisuallyHidden>Selected</VisuallyHidden>
        </th>
        <th scope="col" className="[grid-area:severity]">
          Severity
        </th>
        <th scope="col" className="[grid-area:title]">
          Threat
        </th>
        <th scope="col" className="[grid-area:actor]">
          Actor
        </th>
        <th scope="col" className="[grid-area:victim]">
          Victim
        </th>
        <th scope="col" className="[grid-area:country]">
          Country
        </th>
        <th scope="col" className="[grid-area:category]">
          Category
        </th>
        <th scope="col" className="text-right [grid-area:when]">
          Published
        </th>
      </tr>
    </thead>
  )
}
