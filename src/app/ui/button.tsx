import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

const VARIANTS = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border-edge bg-surface text-ink shadow-raised hover:bg-hover active:bg-pressed',
  quiet: 'border-transparent text-muted hover:bg-hover hover:text-ink active:bg-pressed',
  danger: 'border-critical/60 bg-surface text-critical hover:bg-critical/10',
} as const

const SIZES = {
  small: 'h-7 gap-1.5 px-2 text-xs',
  medium: 'h-8 gap-2 px-3 text-sm',
} as const

export type ButtonProps = ComponentProps<'button'> & {
  variant?: keyof typeof VARIANTS
  size?: keyof typeof SIZES
  icon?: IconName
  /** At work on the last press: says so, and takes no other. */
  isBusy?: boolean
}

export function Button({
  variant = 'secondary',
  size = 'medium',
  icon,
  isBusy = false,
  className = '',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={`inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-md border font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-55 ${VARIANTS[variant]} ${SIZES[size]} ${className}`}
      {...rest}
    >
      {isBusy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-3.5 animate-spin rounded-full border-2 border-current border-t-transparent"
    />
  )
}
