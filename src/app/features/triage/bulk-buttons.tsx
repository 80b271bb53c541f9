import { Button } from '#app/ui/button.tsx'
import type { TriageCommand } from './triage-command.ts'

type BulkButtonsProps = { onCommand(command: TriageCommand): void }

/** What can be done with all selected threats at once. */
export function BulkButtons({ onCommand }: BulkButtonsProps) {
  return (
    <>
      <Button variant="quiet" size="small" icon="mail-open" onClick={() => onCommand('read')}>
        Read
      </Button>
      <Button variant="quiet" size="small" icon="star" onClick={() => onCommand('star')}>
        Star
      </Button>
      <Button variant="quiet" size="small" icon="ban" onClick={() => onCommand('dismiss')}>
        Dismiss
      </Button>
      <Button variant="quiet" size="small" icon="note" onClick={() => onCommand('note')}>
        Note
      </Button>
    </>
  )
}
