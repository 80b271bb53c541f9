import type { ReactNode } from 'react'
import { Absent } from './absent.tsx'

type FirstOfProps<T> = {
  values: readonly T[]
  isWithheld?: boolean
  children(value: T): ReactNode
}

/** The first of several values, and how many more there are. */
export function FirstOf<T>({ values, isWithheld = false, children }: FirstOfProps<T>) {
  const [first, ...rest] = values
  if (first === undefined) return <Absent isWithheld={isWithheld} isShort />
  if (rest.length === 0) return children(first)
  return (
    <span className="inline-flex max-w-full gap-1 align-bottom">
      <span className="min-w-0 truncate">{children(first)}</span>{' '}
      <span className="text-faint">+{rest.length}</span>
    </span>
  )
}
