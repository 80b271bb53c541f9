import { type ReactNode, useSyncExternalStore } from 'react'
import { useFollow } from '#app/ui/use-follow.ts'

type RowLinkProps = { path: 'actors' | 'countries'; value: string; children: ReactNode }

/** Nothing that an address could name: browsers take dots in a path for steps. */
export const NO_NAME = /^[\s.]*$/

/** Below it a row is a card, and all of it is one link. */
const CARDS_BELOW_PX = 672

/**
 * Leads from a cell of a row to the page of what it names. Plain, because the router's own link, twice in each row, takes
 * too much of a frame while scrolling. On phones the whole row is one link.
 */
export function RowLink({ path, value, children }: RowLinkProps) {
  const follow = useFollow()
  const isCard = useSyncExternalStore(onResize, () => innerWidth < CARDS_BELOW_PX)
  if (NO_NAME.test(value) || isCard) return children
  const href = `/${path}/${encodeURIComponent(value.toWellFormed())}`
  return (
    <a
      href={href}
      onClick={follow}
      className="relative z-1 decoration-edge underline-offset-2 hover:underline @max-2xl:pointer-events-none"
    >
      {children}
    </a>
  )
}

function onResize(listener: () => void): () => void {
  addEventListener('resize', listener)
  return () => removeEventListener('resize', listener)
}
