import type { ReactNode } from 'react'

/** In the browser's top layer, on the side of the field with more room. */
export function FloatingList({ className, children }: { className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing is done but to keep the focus in the field
    <div
      ref={showPopover}
      popover="manual"
      onMouseDown={(event) => event.preventDefault()}
      className={`fixed inset-auto my-1 max-h-[min(24rem,calc(100%-0.5rem))] ${className} max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-lg border border-line bg-raised text-ink text-sm shadow-floating [position-anchor:--values] [position-area:block-end_span-inline-end] [position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline] [position-try-order:most-height] [&:popover-open]:flex`}
    >
      {children}
    </div>
  )
}

function showPopover(popover: HTMLElement | null) {
  popover?.showPopover()
}
