import type { ReactNode } from 'react'
import { Icon } from '#app/ui/icon.tsx'

/** Stands in a picture's place, with why, and what can be done. */
export function PictureUnavailable({
  title = 'Picture unavailable',
  children,
}: {
  title?: string
  children: ReactNode
}) {
  return (
    <div className="grid justify-items-center gap-1 p-4 text-center text-muted text-xs">
      <Icon name="image" className="size-5 text-faint" />
      <span className="font-medium">{title}</span>
      {children}
    </div>
  )
}
