import { type MouseEvent, type ReactNode, useId } from 'react'
import { IconButton } from './button.tsx'
import { modalEvents, useModal } from './use-modal.ts'

const SIZES = { small: 'w-96', medium: 'w-xl', wide: 'w-[min(72rem,94vw)]' } as const

type DialogProps = {
  isOpen: boolean
  /** Also called on Escape and on a press beside the dialog. */
  onClose(): void
  title: ReactNode
  size?: keyof typeof SIZES
  children: ReactNode
}

/** The browser's own modal dialog: it keeps the focus and gives it back. */
export function Dialog({ isOpen, onClose, title, size = 'medium', children }: DialogProps) {
  const titleId = useId()
  const dialog = useModal(isOpen, '[data-first-focus]')
  const closeFromBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the browser's own key for this
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      {...modalEvents(onClose)}
      onClick={closeFromBackdrop}
      className={`m-auto max-h-[90dvh] max-w-[94vw] overflow-hidden rounded-xl border border-line bg-raised p-0 text-sm shadow-floating ${SIZES[size]}`}
    >
      {isOpen && (
        <div className="flex max-h-[90dvh] flex-col">
          <div className="flex items-center justify-between gap-4 border-line border-b py-2 pr-2 pl-4">
            <h2 id={titleId} className="min-w-0 truncate font-semibold text-base">
              {title}
            </h2>
            <IconButton icon="x" label="Close" onClick={onClose} />
          </div>
          <div className="min-h-0 overflow-auto p-4">{children}</div>
        </div>
      )}
    </dialog>
  )
}
