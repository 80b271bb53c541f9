import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFollow } from '#app/ui/use-follow.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'

type TrendLinkProps = { filter: ThreatFilter; children: ReactNode }

/** From a figure of a chart to the threats that it counts. Plain: a table has hundreds, and the router's own takes long. */
export function TrendLink({ filter, children }: TrendLinkProps) {
  const { options } = useRouter()
  const follow = useFollow()
  return (
    <a
      href={`/threats${options.stringifySearch(filter)}`}
      onClick={follow}
      className="rounded-sm hover:underline"
    >
      {children}
    </a>
  )
}
