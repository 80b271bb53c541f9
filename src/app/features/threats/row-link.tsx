import type { MouseEventHandler, ReactNode } from 'react'

type RowLinkProps = {
  path: 'actors' | 'countries'
  value: string
  /** On phones the whole row is one link. */
  isPlain: boolean
  onClick: MouseEventHandler<HTMLAnchorElement>
  children: ReactNode
}

/** Nothing that an address could name: browsers take dots in a path for steps. */
export const NO_NAME = /^[\s.]*$/

/**
 * Leads from a cell of a row to the page of what it names. Plain, because the router's own link, twice in each row, takes
 * too much of a frame while scrolling.
 */
export function RowLink({ path, value, isPlain, onClick, children }: RowLinkProps) {
  if (isPlain || NO_NAME.test(value)) return children
  const href = `/${path}/${encodeURIComponent(value.toWellFormed())}`
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
