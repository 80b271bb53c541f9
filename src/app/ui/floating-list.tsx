import type { ReactNode } from 'react'

/** In the browser's top layer, on the side of the field with more room. */
export function FloatingList({ className, children }: { className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done but to keep the focus in the field
    <div
      ref={showPopover}
      popover="manual"
      onMouseDown={(event) => event.preventDefault()}
      className={`fixed inset-auto my-1 max-h-[min(24rem,calc(100%-0.5rem))] ${className} max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-lg border border-line bg-raised text-ink text-sm shadow-floating [position-anchor:--values] [position-area:block-end_span-inline-end] [position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline] [position-try-order:most-height] [&:popover-open]:flex`}
    >
      {children}
    </div>
  )
}

function showPopover(popover: HTMLElement | null) {
  popover?.showPopover()
}

type ListOptionProps = {
  id: string
  /** The keyboard of the field is on it. */
  isActive: boolean
  /** In a list with many choices. Otherwise the active option is the selected one. */
  isChosen?: boolean
  isOff?: boolean
  onPress(): void
  onPoint?: (() => void) | undefined
  children: ReactNode
}

/** A choice of a listbox. The focus stays in the field, by aria-activedescendant, and the field has the keys. */
export function ListOption(props: ListOptionProps) {
  const { id, isActive, isChosen = isActive, isOff, onPress, onPoint, children } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field with the focus has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, by aria-activedescendant
    <div
      id={id}
      ref={isActive ? keepInView : undefined}
      role="option"
      aria-selected={isChosen}
      aria-disabled={isOff || undefined}
      data-active={isActive || undefined}
      onClick={onPress}
      onMouseMove={onPoint}
      className="flex min-h-8 cursor-pointer items-center gap-3 rounded-md px-2 hover:bg-hover aria-disabled:cursor-not-allowed aria-disabled:text-faint data-active:bg-pressed max-sm:min-h-11"
    >
      {children}
    </div>
  )
}

function keepInView(option: HTMLElement | null) {
  option?.scrollIntoView({ block: 'nearest' })
}
