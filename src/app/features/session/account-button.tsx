import type { ComponentProps } from 'react'
import { Icon } from '#app/ui/icon.tsx'

export function AccountButton({ name, ...rest }: ComponentProps<'button'> & { name: string }) {
  return (
    <button
      type="button"
      aria-label={`${initialsOf(name)}, account of ${name}`}
      className="flex h-8 items-center gap-1 rounded-md px-1 text-muted hover:bg-hover hover:text-ink max-sm:h-10"
      {...rest}
    >
      <span
        aria-hidden="true"
        className="grid size-6 place-items-center rounded-full bg-accent/10 font-semibold text-2xs text-accent"
      >
        {initialsOf(name)}
      </span>
      <Icon name="chevron-down" className="size-3.5" />
    </button>
  )
}

function initialsOf(name: string): string {
  const words = name
    .split('@', 1)
    .join('')
    .split(/[\s._-]+/)
  const [first = '', ...rest] = words.filter(Boolean)
  return [first, rest.at(-1) ?? '']
    .map((word) => [...word].at(0) ?? '')
    .join('')
    .toUpperCase()
}
