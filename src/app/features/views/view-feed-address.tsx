import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '#app/ui/button.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { SecretField } from '#app/ui/secret-field.tsx'
import { hasDays } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'
import { viewMutations } from './view-mutations.ts'

/** The secret address by which a reader of feeds follows the view. */
export function ViewFeedAddress({ view }: { view: View }) {
  const { openFeed, closeFeed } = viewMutations(useQueryClient())
  const opening = useMutation(openFeed)
  const closing = useMutation({ ...closeFeed, onSuccess: () => opening.reset() })
  const address = opening.data?.address
  const hasFeed = closing.isSuccess && !address ? false : view.hasFeed || address !== undefined
  const error = opening.error ?? closing.error

  return (
    <section aria-label="Atom feed" className="grid gap-2 border-line border-t pt-3">
      <h3 className="font-medium text-muted text-xs">Atom feed</h3>
      {address ? (
        <>
          <SecretField label="Address" value={address} />
          <p role="status" className="text-faint text-xs">
            Copy it now: it is not shown again. Whoever has it can read the view, and which shared lists its
            threats concern.
          </p>
        </>
      ) : (
        <p className="text-faint text-xs">
          {hasFeed
            ? 'Whoever has its address can read the view, and which shared lists its threats concern. The address was shown once; a new one ends it.'
            : 'A secret address by which a feed reader follows the view, without signing in.'}
        </p>
      )}
      {hasDays(view.filter) && (
        <p className="text-faint text-xs">Its days are of the zone {view.timeZone}, for every reader.</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" isBusy={opening.isPending} onClick={() => opening.mutate(view.id)}>
          {hasFeed ? 'Make a new address' : 'Make an address'}
        </Button>
        {hasFeed && (
          <Button
            size="small"
            variant="quiet"
            isBusy={closing.isPending}
            onClick={() => closing.mutate(view.id)}
          >
            End the feed
          </Button>
        )}
      </div>
      {error && (
        <p role="alert" className="text-critical text-xs">
          {explainError(error).message}. {explainError(error).detail}
        </p>
      )}
    </section>
  )
}
