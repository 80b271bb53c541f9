import type { SyntheticEvent } from 'react'

/** Opens a modal dialog. The page behind it keeps its width, though its scrollbar goes: the style sheet leaves that room. */
export function openModal(dialog: HTMLDialogElement): void {
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
