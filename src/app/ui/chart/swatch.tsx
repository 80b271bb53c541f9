/** The colour of a series beside its name. */
export function Swatch({ color }: { color: string }) {
  return (
    <span
      aria-hidden="true"
      className="size-2.5 shrink-0 rounded-sm forced-color-adjust-none"
      style={{ background: color }}
    />
  )
}

/** The line of the days before. */
export function PreviousSwatch() {
  return <span aria-hidden="true" className="w-4 shrink-0 border-ink border-t border-dashed" />
}
