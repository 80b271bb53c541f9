import { useEffect } from 'react'

/** Names the page in the browser's tab and history. Each page draws one. */
export function DocumentTitle({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title} · Lantern`
  }, [title])
  return null
}
