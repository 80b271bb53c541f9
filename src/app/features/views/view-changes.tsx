import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { explainError } from '#app/ui/explain-error.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'
import { viewMutations } from './view-mutations.ts'

type ViewChangesProps = { view: View; filter: ThreatFilter; canSave: boolean; onSaveAs(): void }

/** The filters are not those that the view was saved with. */
export function ViewChanges({ view, filter, canSave, onSaveAs }: ViewChangesProps) {
  const timeZone = useTimeZone()
  const saving = useMutation(viewMutations(useQueryClient()).change)
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:order-last max-sm:w-full">
      <Badge tone="accent">Changed</Badge>
      {canSave && (
        <Button
          size="small"
          isBusy={saving.isPending}
          onClick={() => saving.mutate({ view, change: { filter, timeZone } })}
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
