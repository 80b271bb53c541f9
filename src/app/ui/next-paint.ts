/** A page that is not seen is not painted. */
const UNSEEN_MS = 50

/** Once the browser has shown what stands now, so that a press is answered before what it asks for is drawn. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    const unseen = setTimeout(resolve, UNSEEN_MS)
    requestAnimationFrame(() => {
      clearTimeout(unseen)
      // A task of its own: what follows within the frame is still a part of it.
      setTimeout(resolve)
    })
  })
}
