import type { ReactNode } from 'react'
import { IconButton } from '#app/ui/icon-button.tsx'

type FeedHeadingProps = {
  /** What can be done with the list as a whole. */
  tools: ReactNode
  onShowKeys(): void
}

export function FeedHeading({ tools, onShowKeys }: FeedHeadingProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <h1 className="font-semibold text-xl tracking-tight">Threats</h1>
      {tools}
      <IconButton icon="keyboard" label="Keys of this page" aria-haspopup="dialog" onClick={onShowKeys} />
    </div>
  )
}
