import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { Untrusted } from '#app/ui/untrusted.tsx'
import type { AlertList } from '#contract/bff/alert.ts'
import { focusProfileLink } from './profile-table.tsx'

type CreatedNoteProps = {
  id: string
  /** The API's answer was lost, and the profile then found in its list. */
  wasFound: boolean
  list: AlertList | undefined
}

/** Says that a profile was made, and leads to it. */
export function CreatedNote({ id, wasFound, list }: CreatedNoteProps) {
  const created = list?.profiles.find((profile) => profile.id === id)
  const isListed = created !== undefined
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
        {created ? (
          <>
            “<Untrusted text={created.name} maxLength={120} clip="silent" />” was created.
          </>
        ) : (
          'The profile was created. It appears here with the next reading of the list.'
        )}
        {wasFound && ' The API’s answer was lost; Lantern then found the profile in its list.'}
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
