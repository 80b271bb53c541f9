import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import type { View } from '#contract/bff/view.ts'
import { viewMutations } from './view-mutations.ts'
import { isEmpty, type Shown } from './view-state.ts'

type ViewChangesProps = Shown & {
  view: View
  canSave: boolean
  onSaveAs(): void
}

/** The filters are not those that the view was saved with, or the list stands otherwise. */
export function ViewChanges({ view, filter, arrangement, canSave, onSaveAs }: ViewChangesProps) {
  const timeZone = useTimeZone()
  const saving = useMutation(viewMutations(useQueryClient()).change)
  // Nothing is a change where there was something.
  const arranged = isEmpty(arrangement) && !view.arrangement ? {} : { arrangement: arrangement ?? {} }
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:order-last max-sm:w-full">
      <Badge tone="accent">Changed</Badge>
      {canSave && (
        <Button
          size="small"
          isBusy={saving.isPending}
          onClick={() => saving.mutate({ view, change: { filter, ...arranged, timeZone } })}
        >
          Save changes
        </Button>
      )}
      <Button size="small" variant="quiet" onClick={onSaveAs}>
        Save as…
      </Button>
      {saving.error && (
        <p role="alert" className="text-critical text-xs">
          Not saved. {explainError(saving.error).message}.
        </p>
      )}
    </div>
  )
}
