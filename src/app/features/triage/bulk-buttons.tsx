import { useQuery, useQueryClient } from '@tanstack/react-query'
import { countOf } from '#app/format/count.ts'
import { Button } from '#app/ui/button.tsx'
import { usePageActs } from '#app/ui/page-acts.ts'
import { triageActs, triageChoices } from './triage-choices.ts'
import { doneForAll, type TriageCommand } from './triage-command.ts'
import { triageStatesOptions } from './triage-options.ts'

type BulkButtonsProps = { ids: readonly string[]; onCommand(command: TriageCommand): void }

/** What can be done with all selected threats at once, those out of sight as well. */
export function BulkButtons({ ids, onCommand }: BulkButtonsProps) {
  const queryClient = useQueryClient()
  // Until the answer is there, what the rows in sight show is enough.
  useQuery(triageStatesOptions(ids))
  usePageActs(() =>
    triageActs(doneForAll(queryClient, ids), countOf(ids.length, 'selected threat'), onCommand),
  )
  return triageChoices(doneForAll(queryClient, ids)).map(({ command, icon, label }) => (
    <Button key={command} variant="quiet" size="small" icon={icon} onClick={() => onCommand(command)}>
      {label}
    </Button>
  ))
}
