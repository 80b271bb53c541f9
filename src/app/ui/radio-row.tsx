import type { ComponentProps } from 'react'

/** A choice among a few that stand below each other: the whole line is pressed. */
export function RadioRow({ children, ...input }: ComponentProps<'input'>) {
  return (
    <label className="flex cursor-pointer items-center gap-2 rounded-md px-2 py-1.5 hover:bg-hover max-sm:min-h-11">
      <input type="radio" className="accent-accent" {...input} />
      {children}
    </label>
  )
}
