import { Time } from '#app/ui/time.tsx'
import type { ActorListing } from '#contract/bff/actor.ts'

type ListingNoteProps = {
  listing: ActorListing
  /** In what mentions are counted: `the last 30 days`. */
  phrase: string
}

/** Says what the vendor's own list of actors contributed, or why it contributed nothing. */
export function ListingNote({ listing: { fetchedAt, absent }, phrase }: ListingNoteProps) {
  return (
    <p className="max-w-[90ch] text-faint text-xs">
      {fetchedAt !== null && (
        <>
          Mentions here are threats of {phrase} that name the actor; those by the source are its own count,
          over whatever time it counts. The source’s own list of actors was read{' '}
          <Time at={fetchedAt} show="age" />; it is read once a day, to save calls.
        </>
      )}
      {absent !== null && (
        <>
          Mentions are threats of {phrase} that name the actor. The source’s own list of actors is not
          included. {absent}
        </>
      )}
    </p>
  )
}
