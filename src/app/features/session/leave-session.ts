import type { QueryClient } from '@tanstack/react-query'

/**
 * Leaves for a page outside the app, such as sign-in. What a session has read is out of sight and memory at once, however
 * long the line takes, and a browser that keeps the page for Back loads it anew.
 */
export function leaveSession(queryClient: QueryClient, leave: () => void): void {
  document.documentElement.dataset.left = ''
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
  queryClient.clear()
  leave()
}
