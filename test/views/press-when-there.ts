/** Presses the first button of this name as soon as the page has one; gives up with the signal. */
export function pressWhenThere(name: string, signal?: AbortSignal): void {
  const isPressed = () => {
    const button = [...document.querySelectorAll('button')].find((one) =>
      `${one.textContent} ${one.ariaLabel} ${one.title}`.includes(name),
    )
    button?.click()
    return button !== undefined
  }
  if (isPressed()) return
  const observer = new MutationObserver(() => isPressed() && observer.disconnect())
  observer.observe(document, { subtree: true, childList: true })
  signal?.addEventListener('abort', () => observer.disconnect())
}
