import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clipText } from '#app/format/clip-text.ts'
import { useTimeZone } from '#app/ui/preferences.ts'
import type { ThreatFilter } from '#contract/bff/threat-list.ts'
import type { View } from '#contract/bff/view.ts'
import { VIEW_NAME_MAX_LENGTH } from '#contract/bff/view-draft.ts'
import type { RenderWatch } from './render-watch.ts'
import { viewMutations } from './view-mutations.ts'
import { viewListOptions } from './view-options.ts'
import type { Shown } from './view-state.ts'

/** Of what a new one is. */
type ViewWatchProps = Shown & {
  /** Null for the filter, which is saved first. Absent for one's own view of the filter, if there is one. */
  view?: View | null
  /** Unless the filter's own values are. */
  suggestedName?: string
  render: RenderWatch
  onSaved?(view: View): void
  onClose(): void
}

/** Watches a view, or what the feed shows under a name of its own. */
export function ViewWatch(props: ViewWatchProps) {
  const { filter, arrangement, suggestedName = namesOf(filter), render, onSaved, onClose } = props
  const isAnyView = props.view === undefined
  const { data, isPending } = useQuery({ ...viewListOptions(), enabled: isAnyView })
  const own = data?.views.find((view) => view.owner.isMe && isOf(view, filter))
  const timeZone = useTimeZone()
  const creating = useMutation({
    ...viewMutations(useQueryClient()).create,
    onSuccess: (saved) => onSaved?.(saved),
  })
  if (isAnyView && isPending) return null
  return render({
    view: (isAnyView ? own : props.view) ?? null,
    suggestedName: clipText(suggestedName, VIEW_NAME_MAX_LENGTH),
    saveView: (name) =>
      creating.mutateAsync({
        draft: { name, isShared: false, filter, ...(arrangement && { arrangement }), timeZone },
        isDefault: false,
      }),
    onClose,
  })
}

function isOf(view: View, filter: ThreatFilter): boolean {
  return JSON.stringify(view.filter) === JSON.stringify(filter)
}

function namesOf(filter: ThreatFilter): string {
  return Object.values(filter)
    .flatMap((value) => value ?? [])
    .join(', ')
}
