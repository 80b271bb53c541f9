import { type ReactNode, Suspense, useState } from 'react'
import { Button, type ButtonProps } from '#app/ui/button.tsx'

type ExportButtonProps = Pick<ButtonProps, 'variant' | 'disabled'> & {
  /** Draws what asks for the format: loaded when first opened, as it is not on the way to the first page. */
  renderDialog(close: () => void): ReactNode
}

/** What is listed, as a file. */
export function ExportButton({ variant = 'quiet', disabled, renderDialog }: ExportButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant={variant}
        disabled={disabled}
        icon="download"
        aria-haspopup="dialog"
        className="max-sm:h-10"
        onClick={() => setIsOpen(true)}
      >
        <span className="max-sm:sr-only">Export</span>
      </Button>
      {isOpen && <Suspense>{renderDialog(() => setIsOpen(false))}</Suspense>}
    </>
  )
}
