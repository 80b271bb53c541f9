import type { ReactNode } from 'react'
import { Absent } from './absent.tsx'

type FirstOfProps<T> = {
  values: readonly T[]
  /** What the reader asked for stands first. */
  isAsked?(value: T): boolean
  isWithheld?: boolean
  children(value: T): ReactNode
}

/** One of several values, and how many more there are. */
export function FirstOf<T>({ values, isAsked = () => false, isWithheld = false, children }: FirstOfProps<T>) {
  const first = values.find(isAsked) ?? values[0]
  if (first === undefined) return <Absent isWithheld={isWithheld} isShort />
  if (values.length === 1) return children(first)
  return (
    <span className="inline-flex max-w-full gap-1 align-bottom">
      <span className="min-w-0 truncate">{children(first)}</span>{' '}
      <span className="text-faint">+{values.length - 1}</span>
    </span>
  )
}
