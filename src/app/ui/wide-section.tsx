import type { ReactNode } from 'react'

type WideSectionProps = { label: string; className?: string; children: ReactNode }

/** For what may be wider than the page: it scrolls sideways in its own frame. */
export function WideSection({ label, className = '', children }: WideSectionProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard
      tabIndex={0}
      className={`relative overflow-x-auto focus-visible:-outline-offset-2 ${className}`}
    >
      {children}
    </section>
  )
}
