import type { ComponentProps } from 'react'
import { Icon, type IconName } from '#app/ui/icon.tsx'

export function AccountItem({ icon, children, ...rest }: ComponentProps<'button'> & { icon: IconName }) {
  return (
    <button
      type="button"
      className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover disabled:opacity-55 max-sm:h-10"
      {...rest}
    >
      <Icon name={icon} className="size-4 text-muted" />
      {children}
    </button>
  )
}
