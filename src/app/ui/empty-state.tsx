import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type EmptyStateProps = { icon?: IconName; title: string; children?: ReactNode }

/** Why there is nothing to see, and what to do about it. */
export function EmptyState({ icon = 'search', title, children }: EmptyStateProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-2 px-6 py-16 text-center">
      <span className="grid size-10 place-items-center rounded-full bg-hover text-faint">
        <Icon name={icon} />
      </span>
      <p className="font-medium text-base">{title}</p>
      <div className="max-w-[min(65ch,100%)] text-muted text-sm">{children}</div>
    </div>
  )
}
