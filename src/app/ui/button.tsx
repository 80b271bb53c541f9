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

type ButtonLook = { variant?: keyof typeof VARIANTS; size?: keyof typeof SIZES }

/** The looks of a button, for a link that stands among buttons. */
export function buttonLook({ variant = 'secondary', size = 'medium' }: ButtonLook = {}): string {
  return `inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-md border font-medium transition-colors ${VARIANTS[variant]} ${SIZES[size]}`
}

export type ButtonProps = ComponentProps<'button'> &
  ButtonLook & {
    icon?: IconName
    /** At work on the last press: says so, and takes no other. */
    isBusy?: boolean
  }

export function Button({
  variant,
  size,
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
      className={`${buttonLook({ variant, size })} disabled:cursor-not-allowed disabled:opacity-55 ${className}`}
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
      className="size-4 animate-spin rounded-full border-2 border-current border-t-transparent"
    />
  )
}

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
