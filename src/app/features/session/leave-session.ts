import type { QueryClient } from '@tanstack/react-query'
import { noteSession } from './session-hint.ts'
import { sessionKey } from './session-options.ts'

/**
 * Forgets all that a session has read: first that it is alive, or the sign-in page would send its reader back; the rest
 * when no page shows it any more.
 */
export async function leaveSession(queryClient: QueryClient, goToSignIn: () => Promise<void>): Promise<void> {
  noteSession(undefined)
  queryClient.removeQueries({ queryKey: sessionKey })
  await goToSignIn()
  queryClient.clear()
}
