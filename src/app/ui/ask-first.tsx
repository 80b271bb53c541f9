import type { ToggleEvent } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import type { IconName } from './icon.tsx'
import { closePopoverOf, Popover, type PopoverProps } from './popover.tsx'

type AskFirstProps = {
  /** On the button that asks. */
  label: string
  /** The name of the button where several have the same label. */
  accessibleLabel?: string
  /** Describes the consequence. */
  warning: string
  /** On the button that does it. */
  confirm: string
  isBusy?: boolean
  icon?: IconName
  size?: ButtonProps['size']
  onConfirm(): void
  /** Draws another button that asks. */
  renderTrigger?: PopoverProps['renderTrigger']
  /** Names the question where an item of a menu asks it: it has no button of its own then. */
  id?: string
  align?: PopoverProps['align']
}

/** An action that cannot be undone: the first press asks beside the button. Escape cancels. */
export function AskFirst({
  label,
  accessibleLabel,
  warning,
  confirm,
  onConfirm,
  id,
  align,
  renderTrigger,
  size = 'small',
  ...button
}: AskFirstProps) {
  return (
    <Popover
      id={id}
      align={align}
      label={accessibleLabel ?? label}
      className="w-72 p-3"
      onToggle={focusCancel}
      renderTrigger={
        renderTrigger ??
        ((trigger) =>
          id === undefined && (
            <Button
              size={size}
              variant="danger"
              aria-label={accessibleLabel}
              className="max-sm:h-11"
              {...button}
              {...trigger}
            >
              {label}
            </Button>
          ))
      }
    >
      <p className="wrap-anywhere whitespace-normal">{warning}</p>
      <div className="mt-3 flex gap-2">
        <Button
          size="small"
          variant="danger"
          className="max-sm:h-11"
          onClick={(event) => {
            closePopoverOf(event.currentTarget)
            onConfirm()
          }}
        >
          {confirm}
        </Button>
        <Button
          size="small"
          variant="quiet"
          className="max-sm:h-11"
          onClick={(event) => closePopoverOf(event.currentTarget)}
        >
          Cancel
        </Button>
      </div>
    </Popover>
  )
}

/** Enter, pressed twice, does nothing that cannot be undone. */
function focusCancel({ newState, currentTarget }: ToggleEvent<HTMLElement>) {
  if (newState === 'open') currentTarget.querySelector<HTMLElement>('button:last-child')?.focus()
}
