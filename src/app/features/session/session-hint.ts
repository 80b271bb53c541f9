import * as z from 'zod/mini'
import { createBrowserStore } from '#app/ui/browser-store.ts'
import type { Session } from '#contract/bff/session.ts'

const KEY = 'lantern.session'
const store = createBrowserStore({
  key: KEY,
  schema: z.nullable(z.object({ userId: z.string() })),
  fallback: null,
})

/** Whose session this browser has, for its other tabs to hear; undefined: there is none. */
export function noteSession(session: Session | undefined): void {
  store.write(session && { userId: session.user.id })
}

/** Removes the user's choices too: on a shared machine the next user starts without them. */
export function forgetReader(): void {
  try {
    localStorage.clear()
  } catch {
    // A browser that forbids storage remembers nobody.
  }
}

/** Hears when another tab has signed out, or somebody in, with whose session this browser has then. */
export function followSession(onChange: (userId: string | undefined) => void): void {
  addEventListener('storage', ({ key }) => (key === KEY || key === null) && onChange(store.read()?.userId))
}
