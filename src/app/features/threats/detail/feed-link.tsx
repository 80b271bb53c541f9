import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

/** How a value that leads on looks. */
export const LINK =
  'touch min-w-0 max-w-full underline max-sm:min-w-11 decoration-edge underline-offset-2 hover:decoration-current'

type FeedLinkProps = { filter: ThreatFilter; children: ReactNode }

/** A value that leads on to the threats that share it. */
export function FeedLink({ filter, children }: FeedLinkProps) {
  return (
    <Link to="/threats" search={filter} className={LINK}>
      {children}
    </Link>
  )
}
