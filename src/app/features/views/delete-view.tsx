import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import type { View } from '#contract/bff/view.ts'
import { viewMutations } from './view-mutations.ts'

type DeleteViewProps = { view: View; onDeleted(): void }

/** In two presses: nothing brings a view back. */
export function DeleteView({ view, onDeleted }: DeleteViewProps) {
  const [isAsking, setIsAsking] = useState(false)
  const deleting = useMutation({ ...viewMutations(useQueryClient()).remove, onSuccess: onDeleted })
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t pt-3">
      {isAsking ? (
        <>
          <p className="text-muted text-xs">
            {view.hasFeed
              ? 'Its Atom feed ends too.'
              : view.isShared
                ? 'The team loses it too.'
                : 'For good?'}
          </p>
          <Button
            size="small"
            variant="danger"
            isBusy={deleting.isPending}
            onClick={() => deleting.mutate(view.id)}
          >
            Delete for good
          </Button>
          <Button size="small" variant="quiet" autoFocus onClick={() => setIsAsking(false)}>
            Keep
          </Button>
        </>
      ) : (
        <Button size="small" variant="danger" onClick={() => setIsAsking(true)}>
          Delete view…
        </Button>
      )}
      {deleting.error && (
        <p role="alert" className="text-critical text-xs">
          Not deleted. {explainError(deleting.error).message}.
        </p>
      )}
    </div>
  )
}
