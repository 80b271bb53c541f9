import type { ReactNode } from 'react'

type Segment = { key: string; label: string; isOn: boolean; onPress(): void }

type SegmentsProps = {
  /** Name of the choice: for screen readers, and shown with `isLabelled`. */
  legend: string
  isLabelled?: boolean
  segments: readonly Segment[]
}

/** A few choices side by side, each one press away. */
export function Segments({ legend, isLabelled = false, segments }: SegmentsProps) {
  return (
    <fieldset className="flex min-w-0 items-center gap-1.5 text-xs">
      <legend className="sr-only">{legend}</legend>
      {isLabelled && <Label>{legend}</Label>}
      <div className="flex h-6 overflow-clip max-sm:h-auto max-sm:flex-wrap rounded-md border border-line bg-surface">
        {segments.map(({ key, label, isOn, onPress }) => (
          <button
            key={key}
            type="button"
            aria-pressed={isOn}
            // Each draws a line above and before it, which the edge of the box hides: on a phone 2 px more make 44 px.
            className="-mt-px -ml-px border-line border-t border-l px-2.5 text-muted max-sm:min-h-11.5 max-sm:min-w-11.5 max-sm:grow hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-pressed:bg-accent/12 aria-pressed:font-medium aria-pressed:text-accent"
            onClick={onPress}
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function Label({ children }: { children: ReactNode }) {
  return (
    <span aria-hidden="true" className="font-medium text-muted max-sm:hidden">
      {children}
    </span>
  )
}
