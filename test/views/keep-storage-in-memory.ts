/** Gives this document a store of its own: frames and the app beside them share an origin. */
export function keepStorageInMemory(begun: Readonly<Record<string, string>>): void {
  const kept = new Map(Object.entries(begun))
  const storage: Storage = {
    get length() {
      return kept.size
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, String(value)),
    removeItem: (name) => void kept.delete(name),
    clear: () => kept.clear(),
  }
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, { value: storage, configurable: true })
}
