import type { ReactNode } from 'react'

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
