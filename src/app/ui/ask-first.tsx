import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

type AskFirstProps = {
  /** Describes the consequence. */
  warning: string
  /** On the button that does it. */
  confirm: string
  /** On the button that asks. */
  label: string
  /** The same for screen readers, where there are several. */
  accessibleLabel?: string | undefined
  isBusy: boolean
  onConfirm(): void
  /** Other actions beside the button, while no question is open. */
  children?: ReactNode
}

/** An action that cannot be undone: the first press asks, in the place of all other actions. */
export function AskFirst({
  warning,
  confirm,
  label,
  accessibleLabel,
  isBusy,
  onConfirm,
  children,
}: AskFirstProps) {
  const [isAsking, setIsAsking] = useState(false)
  if (!isAsking)
    return (
      <>
        {children}
        <Button
          size="small"
          variant="danger"
          aria-label={accessibleLabel}
          className="max-sm:h-11"
          onClick={() => setIsAsking(true)}
        >
          {label}
        </Button>
      </>
    )
  return (
    <>
      <span className="text-muted text-xs">{warning}</span>
      <Button size="small" variant="danger" isBusy={isBusy} className="max-sm:h-11" onClick={onConfirm}>
        {confirm}
      </Button>
      <Button
        size="small"
        variant="quiet"
        autoFocus
        className="max-sm:h-11"
        onClick={() => setIsAsking(false)}
      >
        Keep
      </Button>
    </>
  )
}
