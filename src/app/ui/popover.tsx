import {
  type FocusEvent,
  type KeyboardEventHandler,
  type ReactNode,
  type ToggleEvent,
  type ToggleEventHandler,
  useId,
  useState,
} from 'react'

type TriggerProps = {
  popoverTarget: string
  'aria-expanded': boolean
  'aria-controls': string | undefined
}

export type PopoverProps = {
  role?: 'dialog' | 'menu'
  onKeyDown?: KeyboardEventHandler<HTMLElement>
  onToggle?: ToggleEventHandler<HTMLElement>
  /** The accessible name of what opens. */
  label: string
  /** Draws the button that opens it: spread the given props on it. Left out where buttons elsewhere name its `id`. */
  renderTrigger?(props: TriggerProps): ReactNode
  id?: string
  align?: 'start' | 'end'
  className?: string
  children: ReactNode
}

const ALIGNMENTS = {
  start: '[position-area:block-end_span-inline-end]',
  end: '[position-area:block-end_span-inline-start]',
} as const

/** Opens beside its button, in the browser's top layer; Escape and a press elsewhere close it. Empty while closed. */
export function Popover({
  id: givenId,
  label,
  renderTrigger,
  align = 'start',
  role = 'dialog',
  className = '',
  onToggle,
  children,
  ...rest
}: PopoverProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  const [isOpen, setIsOpen] = useState(false)
  // Filled before it opens, and emptied after it closed: the browser gives back a focus that it finds inside.
  const fill = ({ newState }: ToggleEvent) => newState === 'open' && setIsOpen(true)
  const follow = (event: ToggleEvent<HTMLDivElement>) => {
    // React passes on the event of a popover inside.
    if (event.target !== event.currentTarget) return
    // For nested popovers, browsers restore the focus of the outermost only.
    if (event.newState === 'closed' && event.currentTarget.contains(document.activeElement))
      document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(id)}"]`)?.focus()
    setIsOpen(event.newState === 'open')
    onToggle?.(event)
  }
  const closeWhenLeft = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    // Its button closes it by itself; a window that loses the focus, or a press on bare ground, has no related target.
    if (!relatedTarget || currentTarget.contains(relatedTarget)) return
    if (relatedTarget.getAttribute('popovertarget') !== id) currentTarget.hidePopover()
  }
  const named = { role, 'aria-label': label, onBlur: closeWhenLeft }

  return (
    <>
      {renderTrigger?.({
        popoverTarget: id,
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? id : undefined,
      })}
      <div
        id={id}
        popover="auto"
        onBeforeToggle={fill}
        onToggle={follow}
        className={`fixed inset-auto m-auto my-2 max-h-[min(36rem,calc(100dvh-4rem))] max-w-[calc(100vw-1rem)] overflow-auto rounded-lg border border-line bg-raised text-left text-ink text-sm shadow-floating [position-anchor:auto] [position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline] ${ALIGNMENTS[align]} ${className}`}
        {...named}
        {...rest}
      >
        {isOpen && children}
      </div>
    </>
  )
}

/** For buttons inside: closes the popover around the element. */
export function closePopoverOf(element: Element): void {
  const popover = element.closest('[popover]')
  if (popover instanceof HTMLElement) popover.hidePopover()
}

/** For buttons inside: closes the popover around the element, and opens another beside the same button. */
export function openInstead(element: Element, id: string): void {
  const closed = element.closest('[popover]')?.id ?? ''
  const source = document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(closed)}"]`)
  closePopoverOf(element)
  document.getElementById(id)?.showPopover(source ? { source } : {})
}
