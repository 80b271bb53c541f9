import type { ComponentProps, KeyboardEvent, ReactNode, ToggleEvent } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { closePopoverOf, openInstead, Popover, type PopoverProps } from './popover.tsx'

type MenuProps = {
  label: string
  id?: string
  align?: 'start' | 'end'
  /** Draws the button that opens it. Left out where buttons elsewhere name its `id`. */
  renderTrigger?: PopoverProps['renderTrigger']
  /** MenuItem elements. */
  children: ReactNode
}

/** A few actions behind a button. Arrow keys move, Enter chooses, Escape leaves. */
export function Menu(props: MenuProps) {
  return (
    <Popover {...props} role="menu" className="min-w-40 p-1" onToggle={focusFirst} onKeyDown={moveFocus} />
  )
}

type MenuItemProps = Omit<ComponentProps<'button'>, 'onSelect'> & {
  icon?: IconName
} & ({ onSelect(): void; asks?: undefined } | { onSelect?: undefined; asks: string })

/** `asks`: the id of a question that opens in place of the menu, and stands beside it in the code: a menu holds items alone. */
export function MenuItem({ icon, onSelect, asks, children, ...rest }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-haspopup={asks === undefined ? undefined : 'dialog'}
      onClick={(event) => {
        if (asks !== undefined) return openInstead(event.currentTarget, asks)
        closePopoverOf(event.currentTarget)
        onSelect()
      }}
      className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover focus-visible:bg-hover focus-visible:outline-offset-[-2px]"
      {...rest}
    >
      {icon && <Icon name={icon} className="size-4 text-muted" />}
      {children}
    </button>
  )
}

function focusFirst(event: ToggleEvent<HTMLElement>) {
  if (event.newState === 'open') itemsOf(event.currentTarget).at(0)?.focus()
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const items = itemsOf(event.currentTarget)
  const at = items.findIndex((item) => item.matches(':focus'))
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (next === undefined || items.length === 0) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')]
}
