import { useLayoutEffect } from 'react'

/** Names the page in the browser's tab and history. Each page draws one. */
export function DocumentTitle({ title }: { title: string }) {
  // With the page, and before it is announced by this name.
  useLayoutEffect(() => {
    document.title = `${title} · Lantern`
  }, [title])
  return null
}
