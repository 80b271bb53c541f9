import type { ReactNode } from 'react'

type FigureProps = { name: string; value: ReactNode; note?: ReactNode }

/** A number to be seen first, in a `dl`. */
export function Figure({ name, value, note }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="truncate font-semibold text-2xl tabular-nums tracking-tight">{value}</dd>
      <dd className="min-h-4 text-faint text-xs">{note}</dd>
    </div>
  )
}
