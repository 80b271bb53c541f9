import { Time } from '#app/ui/time.tsx'
import type { ActorListing } from '#contract/bff/actor.ts'

/** What came from the source's own list of actors, or why nothing did. */
export function ListingNote({ listing: { fetchedAt, absent } }: { listing: ActorListing }) {
  return (
    <p className="max-w-[90ch] text-faint text-xs">
      {fetchedAt !== null && (
        <>
          Mentions are threats of the last 30 days that name the actor. The source’s own list of actors was
          read <Time at={fetchedAt} show="age" />; it is read once a day, to save calls.
        </>
      )}
      {absent !== null && (
        <>
          Mentions are threats of the last 30 days that name the actor. The source’s own list of actors is not
          included. {absent}
        </>
      )}
    </p>
  )
}
