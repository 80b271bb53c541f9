import { Icon } from './icon.tsx'

type MissingNoteProps = {
  /** For a person, each a sentence. */
  reasons: readonly string[]
  className?: string
}

/** Says which records Lantern could not read, beside a count or list end that might seem complete. */
export function MissingNote({ reasons, className = '' }: MissingNoteProps) {
  if (reasons.length === 0) return null
  return (
    <ul className={`grid gap-1 text-medium ${className}`}>
      {reasons.map((reason) => (
        <li key={reason} className="flex gap-1.5">
          <Icon name="alert" className="mt-0.5 size-3.5 shrink-0" />
          {reason}
        </li>
      ))}
    </ul>
  )
}
