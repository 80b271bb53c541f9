import { storedDays } from '#app/format/stored-days.ts'
import { Time } from '#app/ui/time.tsx'
import type { ActorListing } from '#contract/bff/actor.ts'
import type { Freshness } from '#contract/bff/freshness.ts'

type ListingNoteProps = { listing: ActorListing; freshness: Freshness }

/** What came from the source's own list of actors, or why nothing did. */
export function ListingNote({ listing: { fetchedAt, absent }, freshness }: ListingNoteProps) {
  const period = storedDays(freshness)
  return (
    <p className="max-w-[90ch] text-faint text-xs">
      {fetchedAt !== null && (
        <>
          Mentions are threats of {period} that name the actor. The source’s own list of actors was read{' '}
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
