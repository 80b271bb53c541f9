import { type MouseEvent, type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './button.tsx'

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

/**
 * The modal dialog of the browser, open while `isOpen`. The element that `firstFocus` selects gets the focus: React's own
 * autoFocus comes before the dialog is there. A dialog is open as soon as its content can be seen, so that no key that is
 * meant for it goes to the page behind.
 */
export function useModal(isOpen: boolean, firstFocus: string) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!isOpen || !element) return
    openModal(element)
    element.querySelector<HTMLElement>(firstFocus)?.focus()
    // Whoever takes it away while it is open: the browser gives back the focus from a dialog that closes, not from one that is gone.
    return () => element.close()
  }, [isOpen, firstFocus])
  return dialog
}

/** The page behind it keeps its width, though its scrollbar goes: the style sheet leaves that room. */
function openModal(dialog: HTMLDialogElement): void {
  const { style, clientWidth } = document.documentElement
  style.setProperty('--scrollbar-width', `${innerWidth - clientWidth}px`)
  dialog.showModal()
}

/**
 * The handlers by which a modal dialog reports that it closes. Escape is reported at once, by `cancel`: the browser sends
 * `close` in a later task, and by then a reader may have opened the dialog again.
 */
export function modalEvents(onClose: () => void) {
  return {
    onCancel: ({ target, currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
      // A file field inside sends the same event when its picker is cancelled.
      if (target === currentTarget) onClose()
    },
    onClose: ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
      if (!currentTarget.open) onClose()
    },
  }
}
