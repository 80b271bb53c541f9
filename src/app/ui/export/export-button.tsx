import { type ReactNode, Suspense, useState } from 'react'
import { Button, type ButtonProps } from '#app/ui/button.tsx'
import { usePageActs } from '#app/ui/page-acts.ts'

type ExportButtonProps = {
  variant?: ButtonProps['variant']
  disabled?: boolean
  /** Draws what asks for the format: loaded when first opened, as it is not on the way to the first page. */
  renderDialog(close: () => void): ReactNode
}

/** Saves the listed rows as a file. */
export function ExportButton({ variant = 'quiet', disabled, renderDialog }: ExportButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  usePageActs(() => (disabled ? [] : [{ label: 'Export this list…', icon: 'download', run: open }]))
  return (
    <>
      <Button
        variant={variant}
        disabled={disabled}
        icon="download"
        aria-haspopup="dialog"
        className="max-sm:h-11"
        onClick={open}
      >
        <span className="max-sm:sr-only">Export</span>
      </Button>
      {isOpen && <Suspense>{renderDialog(() => setIsOpen(false))}</Suspense>}
    </>
  )
}
