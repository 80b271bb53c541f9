import type { ReactNode } from 'react'

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded-sm border border-line bg-hover px-1 font-sans font-medium text-2xs text-muted">
      {children}
    </kbd>
  )
}
