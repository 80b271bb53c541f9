/** Opens a modal dialog. The page behind it keeps its width, though its scrollbar goes: the style sheet leaves that room. */
export function openModal(dialog: HTMLDialogElement): void {
  const { style, clientWidth } = document.documentElement
  style.setProperty('--scrollbar-width', `${innerWidth - clientWidth}px`)
  dialog.showModal()
}
