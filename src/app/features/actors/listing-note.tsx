import { Time } from '#app/ui/time.tsx'
import type { ActorListing } from '#contract/bff/actor.ts'

type ListingNoteProps = {
  listing: ActorListing
  /** The time of the counts: `the last 30 days`. */
  phrase: string
}

/** Says what the vendor's own list of actors contributed, or why it contributed nothing. */
export function ListingNote({ listing: { fetchedAt, absent }, phrase }: ListingNoteProps) {
  return (
    <p className="max-w-[90ch] text-faint text-xs">
      Counts here are of {phrase}.{' '}
      {fetchedAt !== null && (
        <>
          The vendor counts claims itself and does not say over which time. Its list of actors was read{' '}
          <Time at={fetchedAt} show="age" />. It is read once a day, to save calls.
        </>
      )}
      {absent !== null && <>The vendor’s own list of actors is not included. {absent}</>}
    </p>
  )
}
