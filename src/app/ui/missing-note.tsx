import { Icon } from './icon.tsx'

type MissingNoteProps = {
  /** For a person, each a sentence. */
  reasons: readonly string[]
  className?: string
}

/** What the source has and Lantern could not read, where a count or an end could be taken for all of it. */
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
