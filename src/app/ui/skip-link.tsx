import type { MouseEvent, ReactNode } from 'react'

type SkipLinkProps = {
  /** Id of the element that the link names. */
  to: string
  onFollow(): void
  children: ReactNode
}

/** A link past what repeats or is long. It is seen only while it has the focus. */
export function SkipLink({ to, onFollow, children }: SkipLinkProps) {
  // Without the hash: it would be a step of Back, and no part of the page's address.
  const follow = (event: MouseEvent) => {
    event.preventDefault()
    onFollow()
  }
  return (
    <a
      href={`#${to}`}
      onClick={follow}
      className="touch print:hidden! fixed top-1.5 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 font-medium text-on-accent text-sm focus:translate-y-0"
    >
      {children}
    </a>
  )
}
