import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** The most animation frames to wait for a page's heading. */
const DRAWN_WITHIN_FRAMES = 300

/**
 * Moves the focus to the heading of the page that was opened, which screen readers then read: in one page of script, no
 * browser does. Not on the first page of a visit, and not where a page has given the focus to a part of its own.
 */
export function useHeadingFocus(): void {
  const router = useRouter()

  useEffect(() => {
    let left: Element | null = null
    let frame = 0
    const stopLeaving = router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
      if (pathChanged) left = document.activeElement
    })
    const stopArriving = router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
      if (!pathChanged || !fromLocation) return
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => follow(DRAWN_WITHIN_FRAMES))
    })
    const follow = (framesLeft: number) => {
      const { activeElement } = document
      if (activeElement !== left && activeElement?.closest('main, dialog[open]')) return
      const heading = document.querySelector<HTMLElement>('main h1')
      if (heading) focusHeading(heading)
      else if (framesLeft > 0) frame = requestAnimationFrame(() => follow(framesLeft - 1))
    }
    return () => {
      stopLeaving()
      stopArriving()
      cancelAnimationFrame(frame)
    }
  }, [router])
}

function focusHeading(heading: HTMLElement): void {
  heading.tabIndex = -1
  // The router restores how far the page was scrolled.
  heading.focus({ preventScroll: true })
}
