import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTimeZone } from '#app/ui/preferences.ts'
import type { View } from '#contract/bff/view.ts'
import { VIEW_NAME_MAX_LENGTH } from '#contract/bff/view-draft.ts'
import type { RenderWatch } from './render-watch.ts'
import { viewMutations } from './view-mutations.ts'
import { isEmpty, type Shown } from './view-state.ts'

/** Of what a new one is. */
type ViewWatchProps = Shown & {
  /** Null for the filter, which is saved first. */
  view: View | null
  render: RenderWatch
  onSaved(view: View): void
  onClose(): void
}

/** Watches a view, or what the feed shows under a name of its own. */
export function ViewWatch({ view, filter, arrangement, render, onSaved, onClose }: ViewWatchProps) {
  const timeZone = useTimeZone()
  const creating = useMutation({ ...viewMutations(useQueryClient()).create, onSuccess: onSaved })
  // A watch knows no columns; the view that is opened then does.
  const arranged = isEmpty(arrangement) ? {} : { arrangement }
  return render({
    view,
    suggestedName: Object.values(filter)
      .flatMap((value) => value ?? [])
      .join(', ')
      .slice(0, VIEW_NAME_MAX_LENGTH),
    saveView: (name) =>
      creating.mutateAsync({
        draft: { name, isShared: false, filter, ...arranged, timeZone },
        isDefault: false,
      }),
    onClose,
  })
}
