import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { ROW_GRID } from './row-grid.ts'

const ROWS = Array.from({ length: 12 }, (_, index) => index)

/** The list before its first page. */
export function ThreatRowSkeletons() {
  return (
    <div role="status">
      <VisuallyHidden>Loading threats…</VisuallyHidden>
      <div className="h-8 border-line border-b" />
      {ROWS.map((row) => (
        <div key={row} className={`${ROW_GRID} h-14 items-center border-line border-b py-2`}>
          <Skeleton className="size-4 justify-self-center [grid-area:check]" />
          <Skeleton className="h-3 w-14 [grid-area:severity]" />
          <span className="grid gap-2 [grid-area:title]">
            <Skeleton className="h-3 w-3/5" />
            <Skeleton className="@max-2xl:hidden h-2.5 w-4/5" />
          </span>
          <Skeleton className="h-3 w-2/3 [grid-area:actor]" />
          <Skeleton className="@max-2xl:hidden h-3 w-1/2 [grid-area:victim]" />
          <Skeleton className="h-3 w-12 [grid-area:country]" />
          <Skeleton className="h-3 w-14 [grid-area:category]" />
          <Skeleton className="h-3 w-14 justify-self-end [grid-area:when]" />
        </div>
      ))}
    </div>
  )
}
