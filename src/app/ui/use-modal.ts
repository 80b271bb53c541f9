import { type SyntheticEvent, useLayoutEffect, useRef } from 'react'

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
