import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type CountedLinkProps = {
  /** The filter of the feed that lists exactly the counted threats. */
  filter: ThreatFilter
  /** Absent for cases. */
  rows?: 'claims'
  className?: string
  children: ReactNode
}

/** From a figure to the threats that it counts. */
export function CountedLink({ filter, rows, className, children }: CountedLinkProps) {
  return (
    <Link to="/threats" search={{ ...filter, rows }} className={className}>
      {children}
    </Link>
  )
}
