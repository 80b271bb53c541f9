import type { MouseEventHandler, ReactNode } from 'react'
import { ACTOR_NAME_MAX_LENGTH } from '#contract/bff/actor-name.ts'
import { pathSegment } from '#contract/bff/path-segment.ts'

type RowLinkProps = {
  path: 'actors' | 'countries'
  value: string
  /** On phones the whole row is one link. */
  isPlain: boolean
  onClick: MouseEventHandler<HTMLAnchorElement>
  children: ReactNode
}

/** True for a name that the address of a page can hold. */
export function hasPage(name: string): boolean {
  return name.trim() !== '' && name.length <= ACTOR_NAME_MAX_LENGTH
}

/**
 * Leads from a cell of a row to the page of what it names. Plain, because the router's own link, twice in each row, takes
 * too much of a frame while scrolling.
 */
export function RowLink({ path, value, isPlain, onClick, children }: RowLinkProps) {
  if (isPlain || !hasPage(value)) return children
  const href = `/${path}/${pathSegment(value)}`
  return (
    <a
      href={href}
      onClick={onClick}
      className="relative z-1 decoration-edge underline-offset-2 hover:underline @max-2xl:pointer-events-none"
    >
      {children}
    </a>
  )
}
