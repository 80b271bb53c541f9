import { count } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'

type UnmatchedNoteProps = {
  unmatched: number
  /** False when rows far from those in sight may be more of them. */
  isWhole: boolean
  onReload(): void
}

/** Rows stay where they are while a reader works on them; this drops those that the filter would not find any more. */
export function UnmatchedNote({ unmatched, isWhole, onReload }: UnmatchedNoteProps) {
  return (
    <Button size="small" icon="refresh" title="Reload the list without them" onClick={onReload}>
      {count(unmatched)}
      {!isWhole && '+'} no longer {unmatched === 1 && isWhole ? 'matches' : 'match'}
    </Button>
  )
}
