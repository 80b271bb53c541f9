import { storedDays } from '#app/format/stored-days.ts'
import { Time } from '#app/ui/time.tsx'
import type { ActorList, ActorListing } from '#contract/bff/actor.ts'

type ListingNoteProps = { listing: ActorListing; days: ActorList['days'] }

/** What came from the source's own list of actors, or why nothing did. */
export function ListingNote({ listing: { fetchedAt, absent }, days }: ListingNoteProps) {
  const period = storedDays(days)
  return (
    <p className="max-w-[90ch] text-faint text-xs">
      {fetchedAt !== null && (
        <>
          Mentions here are threats of {period} that name the actor; those by the source are its own count,
          over whatever time it counts. The source’s own list of actors was read{' '}
          <Time at={fetchedAt} show="age" />; it is read once a day, to save calls.
        </>
      )}
      {absent !== null && (
        <>
          Mentions are threats of {period} that name the actor. The source’s own list of actors is not
          included. {absent}
        </>
      )}
    </p>
  )
}
