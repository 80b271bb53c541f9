import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'

type SidePanelProps = {
  label: string
  /** Id of the content. Another one takes the focus again. */
  id: string
  /** Gives the focus back to whatever opened it. */
  onLeave(id: string): void
  children: ReactNode
}

/** All of one line of a list, beside it. Takes the focus, and gives it back. */
export function SidePanel({ label, id, onLeave, children }: SidePanelProps) {
  const panel = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function is no other panel.
  useEffect(() => {
    panel.current?.focus()
    return () => onLeave(id)
  }, [id])
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={label}
      className="-scroll-mt-2 grid min-w-0 gap-4 outline-none"
    >
      {children}
    </section>
  )
}

export function CloseLink(to: { to: LinkProps['to']; search: LinkProps['search'] }) {
  return (
    <Link
      {...to}
      resetScroll={false}
      title="Close"
      className="inline-grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
    >
      <Icon name="x" />
      <VisuallyHidden>Close</VisuallyHidden>
    </Link>
  )
}

export function FactList({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-2.5 px-4 py-3 text-sm">{children}</dl>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint text-xs leading-5">{name}</dt>
      <dd className="wrap-anywhere min-w-0">{children}</dd>
    </>
  )
}
