import type { ReactNode } from 'react'

/**
 * Row of a destination and its `TestButton`. Both keep their position while a test shows its result beside or below
 * them.
 */
export function TestedRow({ children, test }: { children?: ReactNode; test: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap items-start gap-x-2 gap-y-1">
      {children && (
        <span
          className={`wrap-anywhere min-w-0 ${test ? 'grid min-h-7 content-center max-sm:min-h-11' : ''}`}
        >
          <span>{children}</span>
        </span>
      )}
      {test}
    </div>
  )
}
