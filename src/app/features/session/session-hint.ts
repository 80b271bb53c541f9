import * as z from 'zod/mini'
import { createBrowserStore } from '#app/ui/browser-store.ts'

const store = createBrowserStore({
  key: 'lantern.session-until',
  schema: z.nullable(z.string()),
  fallback: null,
})

/** When the session of this browser ends at the latest, as far as it was reported; undefined: there is none. */
export const noteSession: (expiresAt: string | undefined) => void = store.write

/** A guess, to know what is worth asking: whether there is a session, the BFF alone knows. */
export function mayHaveSession(): boolean {
  return Date.parse(store.read() ?? '') > Date.now()
}
