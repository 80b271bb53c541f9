const STORAGE_KEY = 'lantern.session-until'

/** When the session of this browser ends at the latest, as far as it was told; undefined: there is none. */
export function noteSession(expiresAt: string | undefined): void {
  try {
    if (expiresAt === undefined) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, expiresAt)
  } catch {
    // A browser that forbids storage asks for its session before all else.
  }
}

/** A guess, to know what is worth asking: whether there is a session, the BFF alone can tell. */
export function mayHaveSession(): boolean {
  try {
    return Date.parse(localStorage.getItem(STORAGE_KEY) ?? '') > Date.now()
  } catch {
    return false
  }
}
