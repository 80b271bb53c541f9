import type { QueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { createBrowserStore } from '#app/ui/browser-store.ts'
import { sessionKey } from './session-options.ts'

/** By then the page has made room, also where the script of sign-in cannot be had. */
const LEFT_MS = 1_500

/**
 * Forgets all that a session has read: first that it is alive, or the sign-in page would send its reader back; the rest
 * when no page shows it any more.
 */
export async function leaveSession(queryClient: QueryClient, goToSignIn: () => Promise<void>): Promise<void> {
  queryClient.removeQueries({ queryKey: sessionKey })
  await Promise.race([goToSignIn(), new Promise((resolve) => setTimeout(resolve, LEFT_MS))])
  queryClient.clear()
}

const placeStore = createBrowserStore({
  key: 'lantern.place-left',
  schema: z.nullable(z.object({ userId: z.string(), href: z.string() })),
  fallback: null,
  lifetime: 'session',
})

/** Where a reader was in this tab when their session ended. */
export const keepPlace: (place: { userId: string; href: string }) => void = placeStore.write

/** Their place, for the same person alone, and once. */
export function takePlace(userId: string): string | undefined {
  const place = placeStore.read()
  placeStore.write(undefined)
  return place?.userId === userId ? place.href : undefined
}
