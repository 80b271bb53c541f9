import { vi } from 'vitest'

export type SavedFile = { name: string; file: Blob }

/** The files that a page lets the browser save, as they come: jsdom would follow their links. */
export function catchSavedFiles(): SavedFile[] {
  const saved: SavedFile[] = []
  const made = new Map<string, Blob>()
  URL.createObjectURL = (blob) => {
    const address = `blob:http://localhost/${made.size}`
    if (blob instanceof Blob) made.set(address, blob)
    return address
  }
  URL.revokeObjectURL = vi.fn()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const file = made.get(this.href)
    if (file) saved.push({ name: this.download, file })
  })
  return saved
}
