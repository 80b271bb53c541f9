import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & { icon: IconName; label: string }

export function IconButton({ icon, label, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-grid size-8 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink active:bg-pressed disabled:cursor-not-allowed disabled:opacity-55 ${className}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}
