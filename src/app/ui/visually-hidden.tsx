import type { ComponentProps } from 'react'

/** For ears only. With `role="status"` it announces its changes. */
export function VisuallyHidden(props: ComponentProps<'span'>) {
  return <span {...props} className="sr-only" />
}
