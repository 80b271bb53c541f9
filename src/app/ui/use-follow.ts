import { type NavigateOptions, useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { nextPaint } from './when-idle.ts'

/**
 * Follows a link whose page takes longer to draw than a press may wait: the press is shown first. For a link's `onClick`;
 * presses that ask the browser for a new tab or window stay the browser's. A navigation that starts meanwhile wins, unless
 * `to` says what becomes of the address that stands by then.
 */
export function useFollow(to?: NavigateOptions): (event: MouseEvent<HTMLAnchorElement>) => void {
  const router = useRouter()
  return async (event) => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    event.preventDefault()
    // A link in a drawing has no `pathname`.
    const href = event.currentTarget.getAttribute('href') ?? ''
    const requested = router.latestLocation.href
    await nextPaint()
    if (to) router.navigate(to)
    else if (router.latestLocation.href === requested) router.navigate({ href })
  }
}
