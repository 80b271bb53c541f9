import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import { focusProfileLink } from './profile-table.tsx'

type CreatedNoteProps = {
  id: string
  /** It had been sent before, or the answer was lost, and it was then found in the API's list. */
  wasFound: boolean
  /** As the list has it; undefined while it is not there. */
  name: string | undefined
}

/** Says that a profile was made, and leads to it. */
export function CreatedNote({ id, wasFound, name }: CreatedNoteProps) {
  const isListed = name !== undefined
  useEffect(() => {
    if (isListed) focusProfileLink(id)
  }, [id, isListed])

  return (
    <p
      role="status"
      className="flex items-center gap-2 rounded-lg border border-accent/40 bg-accent/10 py-1.5 pr-1.5 pl-3 text-sm"
    >
      <Icon name="check" className="size-4 text-accent" />
      <span className="min-w-0 flex-1">
        {isListed ? (
          <>
            “<Untrusted text={name} maxLength={120} clip="silent" />” was created.
          </>
        ) : (
          'The profile was created. It appears here with the next reading of the list.'
        )}
        {wasFound &&
          ' It had been sent already: Lantern then found the profile in its list, and did not send it twice.'}
      </span>
      <Link
        to="/alerts"
        title="Close"
        className="grid size-7 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <Icon name="x" />
        <span className="sr-only">Close this note</span>
      </Link>
    </p>
  )
}
