import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { ACTOR_GRID } from './actor-grid.ts'

const ROWS = Array.from({ length: 12 }, (_, index) => index)

/** The table before its first answer. */
export function ActorTableSkeleton() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the actors…</VisuallyHidden>
      <div className="min-h-9 border-line border-b" />
      {ROWS.map((row) => (
        <div key={row} className={`${ACTOR_GRID} h-13 content-center border-line border-b`}>
          <Skeleton className="h-3 w-2/3 [grid-area:name]" />
          <Skeleton className="h-3 w-1/2 [grid-area:targets]" />
          <Skeleton className="h-3 w-1/2 [grid-area:category] @max-4xl:hidden" />
          <Skeleton className="h-5 w-16 [grid-area:spark] @4xl:w-30" />
          <Skeleton className="h-3 w-10 justify-self-end [grid-area:mentions]" />
          <Skeleton className="h-3 w-10 justify-self-end [grid-area:week]" />
          <Skeleton className="h-3 w-12 justify-self-end [grid-area:latest]" />
        </div>
      ))}
    </div>
  )
}
