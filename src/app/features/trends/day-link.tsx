import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type DayLinkProps = { filter: ThreatFilter; children: ReactNode }

/** From a day in a chart's table to the threats that it counts. */
export function DayLink({ filter, children }: DayLinkProps) {
  return (
    <Link to="/threats" search={filter} className="rounded-sm text-accent hover:underline">
      {children}
    </Link>
  )
}
