/** The colour of a series beside its name. */
export function Swatch({ color }: { color: string }) {
  return <span aria-hidden="true" className="size-2.5 shrink-0 rounded-sm" style={{ background: color }} />
}
