import type * as z from 'zod/mini'

type BrowserStoreOptions<T> = {
  key: string
  schema: z.ZodMiniType<T>
  /** The value if nothing is stored, or nothing readable. */
  fallback: T
  /** `session` ends with the tab. */
  lifetime?: 'local' | 'session'
}

export type BrowserStore<T> = {
  /** The same object until what is kept changes. */
  read(): T
  /** Undefined keeps nothing. A browser that forbids storage, or has none left, keeps what it had. */
  write(value: T | undefined): void
  /** Hears each change, also those of other tabs, until what it answers is called. */
  subscribe(onChange: () => void): () => void
}

/** A value that the browser remembers, as JSON under a key of its storage. */
export function createBrowserStore<T>(options: BrowserStoreOptions<T>): BrowserStore<T> {
  const { key, schema, fallback, lifetime = 'local' } = options
  const listeners = new Set<() => void>()
  let latest: { text: string | null; value: T } = { text: null, value: fallback }

  // To name it throws where the browser forbids it.
  const storage = () => (lifetime === 'local' ? localStorage : sessionStorage)

  function readText(): string | null {
    try {
      return storage().getItem(key)
    } catch {
      return null
    }
  }

  function parse(text: string | null): T {
    try {
      return text === null ? fallback : schema.parse(JSON.parse(text))
    } catch {
      return fallback
    }
  }

  return {
    read() {
      const text = readText()
      if (text !== latest.text) latest = { text, value: parse(text) }
      return latest.value
    },
    write(value) {
      try {
        if (value === undefined) storage().removeItem(key)
        else storage().setItem(key, JSON.stringify(value))
      } catch {
        return
      }
      for (const onChange of listeners) onChange()
    },
    subscribe(onChange) {
      listeners.add(onChange)
      addEventListener('storage', onChange)
      return () => {
        listeners.delete(onChange)
        removeEventListener('storage', onChange)
      }
    },
  }
}
